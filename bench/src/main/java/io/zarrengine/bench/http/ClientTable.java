package io.zarrengine.bench.http;

import io.zarrengine.bench.report.Median;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The cost of requests of each length for each client, as medians of the rounds. */
final class ClientTable {
    /** Shorter requests are counted, longer ones measured by their bytes. */
    private static final int COUNTED_KIB_MAX = 4;

    private final Map<Client, Map<Integer, List<Cost>>> costs = new EnumMap<>(Client.class);

    void add(Client client, int kibibytes, Cost cost) {
        costs.computeIfAbsent(client, _ -> new TreeMap<>())
                .computeIfAbsent(kibibytes, _ -> new ArrayList<>())
                .add(cost);
    }

    /** {@return the lines of a table, without spaces between the cells} */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        costs.forEach((client, bySize) -> {
            if (lines.isEmpty()) {
                addHead(lines, bySize);
            }
            List<String> cells = new ArrayList<>();
            cells.add(client.title());
            cells.add(Integer.toString(client.copies()));
            bySize.forEach((kibibytes, list) -> cells.add(speed(kibibytes, list)));
            bySize.values().forEach(list -> cells.add(format("%.0f", list, Cost::heapBytes)));
            lines.add(row(cells));
        });
        return lines;
    }

    private static void addHead(List<String> lines, Map<Integer, List<Cost>> bySize) {
        List<String> names = new ArrayList<>(List.of("client", "copies"));
        bySize.keySet()
                .forEach(kibibytes ->
                        names.add(
                                kibibytes <= COUNTED_KIB_MAX
                                        ? kibibytes + " KiB, requests/s"
                                        : kibibytes + " KiB, GB/s"));
        bySize.keySet().forEach(kibibytes -> names.add("heap, " + kibibytes + " KiB"));
        lines.add(row(names));
        lines.add("|" + "---|".repeat(names.size()));
    }

    private static String speed(int kibibytes, List<Cost> list) {
        return kibibytes <= COUNTED_KIB_MAX
                ? format("%.0f", list, Cost::requestsPerCore)
                : format("%.2f", list, Cost::gigabytesPerCore);
    }

    private static String format(String format, List<Cost> list, ToDoubleFunction<Cost> value) {
        return String.format(Locale.ROOT, format, Median.of(list.stream().mapToDouble(value)));
    }

    private static String row(List<String> cells) {
        return "|" + String.join("|", cells) + "|";
    }
}
