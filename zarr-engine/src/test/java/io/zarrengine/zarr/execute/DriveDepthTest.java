package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the depth that the executor keeps for simulated drives. */
final class DriveDepthTest {
    private static final long READ_BYTES = 256 << 10;
    private static final long LONG_RUN = 16L << 30; // bytes

    private final DriveDepth depth = new DriveDepth();
    private long now; // in ns
    private long deepBytes; // read at more than the least depth

    /**
     * Reads a number of bytes.
     *
     * @param nanosOfDepth the time of a read at a depth
     * @return the usual depth in the second half
     */
    private long read(long bytes, LongUnaryOperator nanosOfDepth) {
        return read(bytes, bytes, nanosOfDepth);
    }

    /** {@code stepBytes}: after each of these there is a pause. */
    private long read(long bytes, long stepBytes, LongUnaryOperator nanosOfDepth) {
        Map<Long, Long> ofDepth = new HashMap<>();
        for (long done = READ_BYTES; done <= bytes; done += READ_BYTES) {
            long underWay = depth.bytes();
            if (done > bytes / 2) {
                ofDepth.merge(underWay, READ_BYTES, Long::sum);
            }
            deepBytes += underWay > DriveDepth.BYTES_MIN ? READ_BYTES : 0;
            now += nanosOfDepth.applyAsLong(underWay);
            boolean isPause = done % stepBytes == 0;
            depth.ended(READ_BYTES, isPause ? READ_BYTES : underWay, now);
            if (isPause) {
                now += 1_000_000_000;
                depth.resumed(now);
            }
        }
        return Collections.max(ofDepth.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** {@return a drive with this rate in bytes per ns, at any depth} */
    private static LongUnaryOperator busyDrive(double bytesPerNano) {
        return underWay -> (long) (READ_BYTES / bytesPerNano);
    }

    /** {@return a drive whose reads take this time, at any depth} */
    private static LongUnaryOperator distantDrives(long nanos) {
        return underWay -> nanos * READ_BYTES / underWay;
    }

    @Test
    void ofADriveThatIsBusyMoreIsSeldomTried() {
        assertEquals(DriveDepth.BYTES_MIN, read(LONG_RUN, busyDrive(2)));
        assertTrue(deepBytes > 0, "it was never tried");
        assertTrue(deepBytes < LONG_RUN / 25, () -> "tried for " + deepBytes + " bytes");
    }

    @Test
    void ofDrivesThatAreFarAwayMoreIsUnderWaySoon() {
        assertEquals(DriveDepth.BYTES_MAX, read(2L << 30, distantDrives(5_000_000)));
    }

    /** The drives are busy at two and a half times the least depth. */
    @Test
    void itIsDoubledAsLongAsThatBringsNearlyTwiceAsMuch() {
        long enough = 5 * DriveDepth.BYTES_MIN / 2;
        LongUnaryOperator drives = underWay -> 1_000_000 * READ_BYTES / Math.min(underWay, enough);
        assertEquals(2 * DriveDepth.BYTES_MIN, read(LONG_RUN, drives));
    }

    @Test
    void whatBringsNothingAnyMoreIsGivenUp() {
        read(2L << 30, distantDrives(5_000_000));
        assertEquals(DriveDepth.BYTES_MIN, read(LONG_RUN, busyDrive(2)));
    }

    /** The rate is what the program asked for, not what drives deliver. */
    @ParameterizedTest
    @ValueSource(longs = {READ_BYTES, DriveDepth.BYTES_MIN / 2})
    void whereLessIsAskedForNothingIsTried(long underWay) {
        for (long done = 0; done < LONG_RUN; done += READ_BYTES) {
            now += 100_000;
            depth.ended(READ_BYTES, underWay, now);
            assertEquals(DriveDepth.BYTES_MIN, depth.bytes());
        }
    }

    /** A training loop reads this much for each step. */
    @ParameterizedTest
    @ValueSource(longs = {8 << 20, 64 << 20})
    void pausesAreNotMeasured(long stepBytes) {
        assertEquals(
                DriveDepth.BYTES_MAX,
                read(LONG_RUN, stepBytes, distantDrives(5_000_000)),
                "of drives that are far away");
        assertEquals(
                DriveDepth.BYTES_MIN,
                read(LONG_RUN, stepBytes, busyDrive(2)),
                "of a drive that is busy");
    }

    /** With twice the depth of seven others, an engine gets 1.78 times its rate. */
    @Test
    void eightEnginesShareADriveAsTheyDid() {
        long others = 7 * DriveDepth.BYTES_MIN;
        LongUnaryOperator drive = underWay -> 100_000L * (underWay + others) / underWay;
        assertEquals(DriveDepth.BYTES_MIN, read(LONG_RUN, drive));
    }

    /** A program that has just begun gets faster from measure to measure, as it is compiled. */
    @Test
    void whatBecomesFasterByItselfProvesNothing() {
        for (double rate = 0.1; rate < 10; rate *= 1.9) { // It does not get slower again.
            read(DriveDepth.MEASURED_BYTES + (16 << 20), busyDrive(rate));
        }
        long mostly = read(DriveDepth.MEASURED_BYTES, busyDrive(10));
        assertEquals(DriveDepth.BYTES_MIN, mostly);
    }

    /** The clock stands still, and one read is longer than a measure. */
    @Test
    void extremesAreNoTrouble() {
        for (int i = 0; i < 1000; i++) {
            depth.ended(1L << 40, Long.MAX_VALUE, 0);
            assertTrue(depth.bytes() >= DriveDepth.BYTES_MIN);
            assertTrue(depth.bytes() <= DriveDepth.BYTES_MAX);
        }
    }
}
