package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The times at which a read's batches were filled, copied, decoded and placed, from the engine's
 * events in a recording. Times on the device are those of CUDA's events.
 */
final class Timeline {
    private static final String BATCH = "io.zarrengine.DeviceBatch";
    private static final String READ = "io.zarrengine.Read";

    private Timeline() {}

    /** {@return a line for each batch of some work, in milliseconds from its beginning} */
    static List<String> of(Callable<?> work) throws IOException {
        Path file = Files.createTempFile("zarr-engine", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(BATCH);
            recording.enable(READ).withoutThreshold();
            recording.start();
            work.call(); // The first run with the recording starts it, and is not counted.
            Instant begin = Instant.now();
            work.call();
            recording.stop();
            recording.dump(file);
            return lines(RecordingFile.readAllEvents(file), begin);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static List<String> lines(List<RecordedEvent> events, Instant begin) {
        List<String> lines = new ArrayList<>();
        of(events, READ, begin).forEach(event -> lines.add(read(event, begin)));
        of(events, BATCH, begin).forEach(event -> lines.add(batch(event, begin)));
        return lines;
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name, Instant begin) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .filter(event -> !event.getStartTime().isBefore(begin))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    /** Formats the workers' part. */
    private static String read(RecordedEvent event, Instant begin) {
        return String.format(
                Locale.ROOT,
                "read, checked and handed over %6.2f to %6.2f ms",
                millis(Duration.between(begin, event.getStartTime())),
                millis(Duration.between(begin, event.getEndTime())));
    }

    /**
     * Formats a batch. Its end is when the host saw that it was done. Its beginning is not used,
     * because the queued work may have waited for copies of the batch before.
     */
    private static String batch(RecordedEvent event, Instant begin) {
        double placed = millis(Duration.between(begin, event.getEndTime()));
        double first =
                placed
                        - event.getFloat("placeTime")
                        - event.getFloat("decodeTime")
                        - event.getFloat("decodeBegin");
        double decode = first + event.getFloat("decodeBegin");
        double place = decode + event.getFloat("decodeTime");
        return String.format(
                Locale.ROOT,
                "%6d chunks, %6.1f MB: copied %6.2f to %6.2f, decoded %6.2f to %6.2f,"
                        + " placed to %6.2f ms; described in %.2f ms",
                event.getInt("chunks"),
                event.getLong("bytes") / 1e6,
                first,
                first + event.getFloat("copyTime"),
                decode,
                place,
                placed,
                event.getLong("describeTime") / 1e6);
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
