package io.zarrengine.uring.ranges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.plan.FuseRule;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that each setter sets its option and no other one. */
final class RangeReaderOptionsTest {
    private static final FuseRule RULE = new FuseRule(1, 102_400, 204_800, 4096);

    private static RangeReaderOptions options(
            int threads, Caching caching, Optional<FuseRule> fuse) {
        return new RangeReaderOptions(
                threads, 11, 5 << 20, 13, 17, Duration.ofSeconds(19), caching, fuse);
    }

    @Test
    void eachOptionIsSetByItself() {
        RangeReaderOptions some = options(3, Caching.BUFFERED, Optional.empty());
        assertEquals(options(7, Caching.BUFFERED, Optional.empty()), some.withThreads(7));
        assertEquals(
                options(3, Caching.DIRECT, Optional.empty()), some.withCaching(Caching.DIRECT));
        assertEquals(options(3, Caching.BUFFERED, Optional.of(RULE)), some.withFuse(RULE));
    }

    @Test
    void aRuleOfOnesOwnGoesBeforeThatOfTheCaching() {
        RangeReaderOptions all = RangeReaderOptions.defaults();
        assertEquals(FuseRule.BUFFERED, all.rule());
        assertEquals(FuseRule.DIRECT, all.withCaching(Caching.DIRECT).rule());
        assertEquals(RULE, all.withFuse(RULE).withCaching(Caching.DIRECT).rule());
    }

    /** A larger read would wait for room forever. */
    @Test
    void readsThatDoNotFitInTheBufferAreRefused() {
        RangeReaderOptions all = RangeReaderOptions.defaults();
        FuseRule tooLong = new FuseRule(1, 100_000, all.bufferBytes() / 4, 4096);
        assertThrows(IllegalArgumentException.class, () -> all.withFuse(tooLong));
        assertThrows(IllegalArgumentException.class, () -> all.withThreads(0));
    }
}
