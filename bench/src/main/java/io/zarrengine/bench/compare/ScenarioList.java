package io.zarrengine.bench.compare;

import static io.zarrengine.bench.compare.Contender.C;
import static io.zarrengine.bench.compare.Contender.C_COPY;
import static io.zarrengine.bench.compare.Contender.C_DECODE;
import static io.zarrengine.bench.compare.Contender.C_READ;
import static io.zarrengine.bench.compare.Contender.C_WRITE;

import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.arrays.ChunkEncoding;
import io.zarrengine.bench.arrays.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** All rows, with their target ratios. */
final class ScenarioList {
    private static final long SEED = 6;
    private static final long[] SAT_CROP = {4, 128, 128, 8};
    private static final long[] VOL_CROP = {96, 96, 96};
    private static final long[] ERA_CROP = {2, 1, 640, 1280};
    private static final int LATENCY_CROPS = 512;
    private static final int MANY_CROPS = 2048;
    private static final double LATENCY_ALLOWANCE_MICROS = 50;

    private final boolean quick;
    private final List<Scenario> all = new ArrayList<>();

    private ScenarioList(boolean quick) {
        this.quick = quick;
        sat();
        vol();
        era();
        whole();
        caches();
        cold(BenchArray.SAT_ZSTD);
        oneSubChunk(BenchArray.SAT_ZSTD);
        oneSubChunk(BenchArray.SAT_BLOSC);
        oneSubChunk(BenchArray.SAT_RAW);
    }

    /**
     * {@return the rows}
     *
     * @param quick whether to use fewer crops
     */
    static List<Scenario> all(boolean quick) {
        return new ScenarioList(quick).all;
    }

    /**
     * {@return the rows that read from servers}
     *
     * @param quick whether to use fewer crops
     */
    static List<Scenario> remote(boolean quick) {
        ScenarioList list = new ScenarioList(quick);
        list.all.clear();
        for (Work work : List.of(Work.REMOTE, Work.S3, Work.FAR)) {
            list.remote(BenchArray.SAT_ZSTD, SAT_CROP, work);
            list.remote(BenchArray.VOL_16_RAW, VOL_CROP, work);
            list.remote(BenchArray.VOL_32_BLOSC, VOL_CROP, work);
            list.remote(BenchArray.ERA_ZSTD, ERA_CROP, work);
        }
        list.manyFar(BenchArray.SAT_ZSTD, SAT_CROP);
        return list.all;
    }

    /**
     * {@return the rows that are read from Python: crops read many at a time, and single ones}
     *
     * @param quick whether to use fewer crops
     */
    static List<Scenario> fromPython(boolean quick) {
        ScenarioList list = new ScenarioList(quick);
        list.all.clear();
        list.oneAtATime(BenchArray.SAT_RAW, " one crop", list.random(BenchArray.SAT_RAW, SAT_CROP));
        list.oneSubChunk(BenchArray.SAT_RAW);
        list.sat();
        list.vol();
        list.era();
        return list.all;
    }

    private void remote(BenchArray array, long[] crop, Work work) {
        String where =
                switch (work) {
                    case FAR -> " 30 ms";
                    case S3 -> " s3";
                    default -> " http";
                };
        String name = words(array) + where;
        all.add(new Scenario(name, array, work, random(array, crop), 2, List.of()));
    }

    /** Adds a row whose requests take many round trips. */
    private void manyFar(BenchArray array, long[] crop) {
        CropList crops = CropList.random(array.shape(), crop, anywhere(crop), MANY_CROPS, SEED);
        String name = "many " + words(array) + " 30 ms";
        all.add(new Scenario(name, array, Work.FAR, crops, 1.5, List.of()));
    }

    private void sat() {
        crops(BenchArray.SAT_ZSTD, SAT_CROP, 1.25, Goal.of(1, C), Goal.of(0.93, C_DECODE));
        crops(BenchArray.SAT_BLOSC, SAT_CROP, 2.5, Goal.of(1, C), Goal.of(0.8, C_DECODE));
        crops(BenchArray.SAT_GZIP, SAT_CROP, 1.5, Goal.of(1, C), Goal.of(0.93, C_DECODE));
        crops(BenchArray.SAT_RAW, SAT_CROP, 3.7, Goal.of(1, C));
    }

    private void vol() {
        crops(BenchArray.VOL_16_RAW, VOL_CROP, 9, Goal.of(1, C));
        crops(BenchArray.VOL_16_ZSTD, VOL_CROP, 2.1, Goal.of(1, C));
        crops(BenchArray.VOL_32_RAW, VOL_CROP, 4.2, Goal.of(1, C));
        crops(BenchArray.VOL_32_BLOSC, VOL_CROP, 1.8, Goal.of(1, C));
    }

    private void era() {
        crops(BenchArray.ERA_ZSTD, ERA_CROP, 1.2, Goal.of(0.95, C_DECODE));
    }

    /**
     * Adds the rows of whole arrays. For uncompressed chunks, copying from the page cache is the
     * limit.
     */
    private void whole() {
        for (BenchArray array :
                List.of(BenchArray.WHOLE_RAW, BenchArray.WHOLE_ZSTD, BenchArray.WHOLE_SHARDED)) {
            Contender slow = array.encoding() == ChunkEncoding.RAW ? C_COPY : C_DECODE;
            long[] box = array.shape();
            if (quick) {
                box[0] /= 4;
            }
            CropList everything = CropList.grid(box, box);
            CropList cells = CropList.grid(box, array.innerShape());
            Goal goal = Goal.of(0.9, slow, C_WRITE);
            String name = words(array);
            all.add(new Scenario(name, array, Work.HOT, everything, 1.5, List.of(goal)));
            all.add(new Scenario(name + " by chunk", array, Work.HOT, cells, 1.5, List.of(goal)));
        }
    }

    private void caches() {
        for (BenchArray array :
                List.of(BenchArray.SAT_ZSTD, BenchArray.VOL_16_ZSTD, BenchArray.VOL_32_BLOSC)) {
            long[] crop = array.family() == Family.SAT ? SAT_CROP : VOL_CROP;
            all.add(
                    new Scenario(
                            words(array) + " cached",
                            array,
                            Work.CACHED,
                            random(array, crop),
                            2,
                            List.of()));
        }
    }

    private void cold(BenchArray array) {
        all.add(
                new Scenario(
                        words(array) + " cold",
                        array,
                        Work.COLD,
                        random(array, SAT_CROP),
                        1.25,
                        List.of(Goal.of(0.95, C_READ, C_DECODE))));
    }

    private void oneSubChunk(BenchArray array) {
        long[] one = array.innerShape();
        oneAtATime(
                array,
                " one sub-chunk",
                CropList.random(array.shape(), one, one, LATENCY_CROPS, SEED));
    }

    private void oneAtATime(BenchArray array, String what, CropList crops) {
        Goal goal = Goal.within(LATENCY_ALLOWANCE_MICROS, C);
        all.add(new Scenario(words(array) + what, array, Work.LATENCY, crops, 3, List.of(goal)));
    }

    private void crops(BenchArray array, long[] crop, double times, Goal... goals) {
        all.add(
                new Scenario(
                        words(array), array, Work.HOT, random(array, crop), times, List.of(goals)));
    }

    private CropList random(BenchArray array, long[] crop) {
        return CropList.random(array.shape(), crop, anywhere(crop), count(array), SEED);
    }

    private static long[] anywhere(long[] crop) {
        long[] alignment = new long[crop.length];
        Arrays.fill(alignment, 1);
        return alignment;
    }

    private int count(BenchArray array) {
        int full = array.family() == Family.ERA ? 64 : 256;
        return quick ? full / 4 : full;
    }

    private static String words(BenchArray array) {
        return array.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
