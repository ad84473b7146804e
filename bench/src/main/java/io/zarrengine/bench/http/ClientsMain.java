package io.zarrengine.bench.http;

import io.zarrengine.bench.Arguments;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Clients of HTTP side by side, in turns: {@code bin/bench clients}. */
public final class ClientsMain {
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final long ROUND_NANOS = 1_000_000_000L;

    private final List<Client> clients;
    private final int rounds;
    private final List<Integer> kibibytes;

    private ClientsMain(Arguments options) {
        clients =
                options.words().isEmpty()
                        ? List.of(Client.values())
                        : options.words().stream().map(Client::valueOf).toList();
        rounds = Integer.parseInt(options.get("rounds", "3"));
        kibibytes =
                Arrays.stream(options.get("kib", "4,64,1024,16384").split(","))
                        .map(Integer::valueOf)
                        .toList();
    }

    /**
     * Runs. Options: {@code --file=} that the server has, {@code --url=} of it, {@code
     * --secure-url=} and {@code --authority=} for TLS, {@code --rounds=}, {@code --kib=} lengths of
     * the ranges; words: some clients.
     */
    public static void main(String[] arguments) throws Exception {
        Set<String> names = Set.of("file", "url", "secure-url", "authority", "rounds", "kib");
        Arguments options = Arguments.parse(List.of(arguments), names);
        ClientsMain main = new ClientsMain(options);
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(options.path("file"))) {
            MemorySegment file =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            IO.println("http, per core:");
            main.compare(Server.plain(URI.create(options.get("url", ""))), file);
            IO.println("https, per core:");
            URI secure = URI.create(options.get("secure-url", ""));
            main.compare(Server.secure(secure, options.path("authority")), file);
        }
    }

    private void compare(Server server, MemorySegment file) throws Exception {
        ClientTable table = new ClientTable();
        List<Client> known = clients.stream().filter(client -> client.knows(server)).toList();
        for (int length : kibibytes) {
            compare(server, known, file, length, table);
        }
        table.lines().forEach(IO::println);
    }

    private void compare(
            Server server, List<Client> known, MemorySegment file, int length, ClientTable table)
            throws Exception {
        Map<Client, RangeClient> open = new EnumMap<>(Client.class);
        try (Arena arena = Arena.ofShared()) {
            Load load = new Load(file, 1024L * length, arena);
            try {
                for (Client client : known) {
                    open.put(client, client.open(server));
                    warmUp(load, client, open.get(client));
                }
                for (int i = 0; i < rounds; i++) {
                    for (Client client : known) {
                        table.add(client, length, load.run(open.get(client), ROUND_NANOS));
                    }
                }
            } finally {
                open.values().forEach(RangeClient::close);
            }
        }
    }

    private static void warmUp(Load load, Client client, RangeClient open)
            throws IOException, InterruptedException {
        try {
            load.check(open);
            load.run(open, WARM_UP_NANOS);
        } catch (IOException e) {
            throw new IOException(client.title() + ": " + e.getMessage(), e);
        }
    }
}
