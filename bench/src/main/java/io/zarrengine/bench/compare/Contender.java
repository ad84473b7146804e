package io.zarrengine.bench.compare;

import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.arrays.ChunkEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The contenders of a comparison: the engine, its peers, and the limits of the machine in C. */
enum Contender {
    ENGINE("zarr-engine", Role.ENGINE),
    BEFORE("before", Role.VARIANT),
    ENGINE_ALLOCATING("to new memory", Role.VARIANT),
    /** Compiled by C1 alone, as the command is; only for {@code bin/bench first}. */
    ENGINE_C1("zarr-engine, C1", Role.VARIANT),
    /** In Java, with the options of Python's JVM. */
    ENGINE_AS_IN_PYTHON("Java, Python's options", Role.VARIANT),
    PYTHON("Python, out=", Role.VARIANT),
    PYTHON_ALLOCATING("Python, read", Role.VARIANT),
    PYTHON_INDEX("Python, a[...]", Role.VARIANT),
    PYTHON_LOADER("Python, Loader", Role.VARIANT),
    PYTHON_TRANSFORM("Python, Loader that normalizes", Role.VARIANT),
    TENSORSTORE("TensorStore", Role.PEER),
    TENSORSTORE_TRANSFORM("TensorStore, NumPy normalizes", Role.VARIANT),
    ZARRS("zarrs", Role.PEER),
    ZARR_PYTHON("zarr-python", Role.PEER),
    C("plain C", Role.LIMIT),
    C_DECODE("codec alone", Role.LIMIT),
    C_READ("reads alone", Role.LIMIT),
    C_WRITE("destination written", Role.LIMIT),
    C_COPY("memcpy", Role.LIMIT);

    /** The role of a contender. */
    enum Role {
        ENGINE,
        /** The engine used as peers are, or an earlier build of it. */
        VARIANT,
        PEER,
        LIMIT
    }

    /** Larger than each array that is read with it. */
    private static final String CACHE = "cache=4000000000";

    /**
     * Threads of TensorStore. For two cores, at most 4 would be usual for I/O, and 2 for copies.
     */
    private static final String MANY = "8";

    /** As many crops as a row has at most, in one read. */
    private static final int ALL = 2048;

    /** Crops of a peer that is too slow to read all crops repeatedly. */
    private static final int FEW_CROPS = 4;

    private final String title;
    private final Role role;

    Contender(String title, Role role) {
        this.title = title;
        this.role = role;
    }

    String title() {
        return title;
    }

    Role role() {
        return role;
    }

    /** {@return the number of crops that it reads; 0 for all} */
    int cropsMax(Scenario scenario) {
        boolean hasMore = scenario.crops().lines().size() > FEW_CROPS;
        boolean isSlow =
                this == ZARR_PYTHON && (scenario.work() == Work.HOT || scenario.work() == Work.FAR);
        return isSlow && hasMore ? FEW_CROPS : 0;
    }

    /**
     * {@return the number of crops whose elements are compared; 0 for all} Peers write them one
     * after the other, which takes minutes from a distant server.
     */
    int cropsCompared(Scenario scenario) {
        return scenario.work() == Work.FAR ? FEW_CROPS : cropsMax(scenario);
    }

    /** Returns whether it delivers the elements, so that they can be compared. */
    boolean delivers() {
        boolean isComputed = this == PYTHON_TRANSFORM || this == TENSORSTORE_TRANSFORM;
        return !isComputed && (role != Role.LIMIT || this == C);
    }

    List<String> command(WorkerCommands programs) {
        return switch (this) {
            case ENGINE -> programs.engineCommand();
            case ENGINE_ALLOCATING ->
                    programs.hasWheel() ? programs.engineAsInPython() : programs.engineCommand();
            case ENGINE_AS_IN_PYTHON -> programs.engineAsInPython();
            case PYTHON, PYTHON_ALLOCATING, PYTHON_INDEX, PYTHON_LOADER, PYTHON_TRANSFORM ->
                    programs.wheelCommand();
            case ENGINE_C1 -> programs.engineCommand("-XX:TieredStopAtLevel=1");
            case BEFORE -> programs.engineBefore();
            case TENSORSTORE, TENSORSTORE_TRANSFORM -> programs.python("tensorstore_worker.py");
            case ZARR_PYTHON -> programs.python("zarr_python_worker.py");
            case ZARRS -> programs.zarrsCommand();
            case C, C_DECODE, C_READ, C_WRITE, C_COPY -> programs.limitCommand();
        };
    }

    /**
     * Returns whether it can be measured. With an earlier build, no other contender is; with the
     * Python package, only what Python users choose from.
     */
    boolean isInstalled(WorkerCommands programs) {
        if (programs.hasBefore()) {
            return this == ENGINE || this == BEFORE;
        }
        return switch (this) {
            case BEFORE -> false;
            case TENSORSTORE, ZARR_PYTHON -> programs.hasPython();
            case TENSORSTORE_TRANSFORM -> programs.hasPython() && programs.hasWheel();
            case ZARRS -> programs.hasZarrs() && !programs.hasWheel();
            case ENGINE_AS_IN_PYTHON,
                    PYTHON,
                    PYTHON_ALLOCATING,
                    PYTHON_INDEX,
                    PYTHON_LOADER,
                    PYTHON_TRANSFORM ->
                    programs.hasWheel();
            case ENGINE, ENGINE_ALLOCATING -> true;
            case ENGINE_C1, C, C_DECODE, C_READ, C_WRITE, C_COPY -> !programs.hasWheel();
        };
    }

    /**
     * Returns whether its process has a JVM that must become warm. Those without share the process
     * of one that does.
     */
    boolean warmsUp() {
        return switch (this) {
            case ENGINE, BEFORE, ENGINE_AS_IN_PYTHON, PYTHON, PYTHON_LOADER, PYTHON_TRANSFORM ->
                    true;
            default -> false;
        };
    }

    /**
     * {@return the ways in which it may be used, of which the best counts; none if it cannot do the
     * work}
     */
    List<List<String>> variants(Scenario scenario) {
        return switch (this) {
            case ENGINE, BEFORE, ENGINE_AS_IN_PYTHON -> engine(scenario);
            case ENGINE_ALLOCATING -> allocating(scenario);
            case ENGINE_C1 -> List.of();
            case PYTHON -> python(scenario, List.of());
            case PYTHON_ALLOCATING -> python(scenario, List.of("allocate=1"));
            case PYTHON_INDEX ->
                    scenario.work() == Work.LATENCY ? List.of(List.of("index=1")) : List.of();
            case PYTHON_LOADER -> loader(scenario, List.of("loader=1"));
            case PYTHON_TRANSFORM -> loader(scenario, List.of("loader=1", "transform=1"));
            case TENSORSTORE -> tensorStore(scenario);
            case TENSORSTORE_TRANSFORM ->
                    scenario.work() == Work.HOT
                            ? inFlight(scenario, List.of(8, 64), List.of("transform=1"))
                            : List.of();
            case ZARRS -> zarrs(scenario);
            case ZARR_PYTHON -> zarrPython(scenario);
            case C, C_DECODE, C_READ, C_WRITE, C_COPY -> limit(scenario);
        };
    }

    private static List<List<String>> engine(Scenario scenario) {
        List<List<String>> variants = new ArrayList<>();
        switch (scenario.work()) {
            case HOT -> {
                variants.addAll(inFlight(scenario, List.of(4, 16, 64), List.of()));
                variants.addAll(lists(scenario));
            }
            case CACHED -> variants.addAll(inFlight(scenario, List.of(4, 16), List.of(CACHE)));
            case COLD -> variants.addAll(inFlight(scenario, List.of(16, 64), List.of("direct=1")));
            case LATENCY -> variants.add(List.of("in_flight=1"));
            case REMOTE, S3, FAR -> {
                List<String> url = List.of(scenario.work().urlOption());
                variants.addAll(inFlight(scenario, List.of(16, 64, 256), url));
                variants.add(with(with(url, "in_flight=2"), "list=32"));
                variants.add(with(with(url, "in_flight=1"), "list=" + ALL));
            }
        }
        return variants;
    }

    /** Returns ways with several crops in one read, and two reads in flight. */
    private static List<List<String>> lists(Scenario scenario) {
        return scenario.crops().lines().size() < 64
                ? List.of()
                : List.of(List.of("in_flight=2", "list=8"), List.of("in_flight=2", "list=32"));
    }

    private static List<List<String>> allocating(Scenario scenario) {
        return switch (scenario.work()) {
            case HOT -> inFlight(scenario, List.of(4, 16), List.of("allocate=1"));
            case LATENCY -> List.of(List.of("in_flight=1", "allocate=1"));
            case CACHED, COLD, REMOTE, S3, FAR -> List.of();
        };
    }

    /** Returns ways with several crops in one read, by one thread and by two. */
    private static List<List<String>> python(Scenario scenario, List<String> more) {
        if (scenario.work() == Work.LATENCY) {
            return List.of(more);
        }
        List<List<String>> variants = new ArrayList<>();
        for (String list : List.of("list=16", "list=64")) {
            for (String threads : List.of("threads=1", "threads=2")) {
                variants.add(with(with(more, list), threads));
            }
        }
        return variants;
    }

    private static List<List<String>> loader(Scenario scenario, List<String> options) {
        return scenario.work() == Work.HOT ? List.of(options) : List.of();
    }

    private static List<List<String>> tensorStore(Scenario scenario) {
        List<List<String>> variants = new ArrayList<>();
        switch (scenario.work()) {
            case HOT, COLD -> {
                variants.addAll(inFlight(scenario, List.of(8, 64), List.of()));
                variants.addAll(inFlight(scenario, List.of(8, 64), List.of("batch=1")));
                for (String limit : List.of("data_copy_concurrency=", "file_io_concurrency=")) {
                    variants.addAll(inFlight(scenario, List.of(64), List.of(limit + MANY)));
                }
            }
            case CACHED -> {
                variants.addAll(inFlight(scenario, List.of(8, 64), List.of(CACHE)));
                variants.addAll(inFlight(scenario, List.of(8), List.of(CACHE, "batch=1")));
            }
            case LATENCY -> {
                variants.add(List.of("in_flight=1"));
                variants.add(List.of("in_flight=1", "cache=1000000"));
            }
            case REMOTE, S3, FAR -> {
                String url = scenario.work().urlOption();
                String many = // as many as the engine's
                        (scenario.work() == Work.S3 ? "s3" : "http") + "_request_concurrency=64";
                if (scenario.work() != Work.FAR) {
                    variants.addAll(inFlight(scenario, List.of(64), List.of(url)));
                }
                variants.addAll(inFlight(scenario, List.of(64, 256), List.of(url, many)));
                variants.addAll(
                        inFlight(scenario, List.of(64, ALL), List.of(url, many, "batch=1")));
            }
        }
        return variants;
    }

    private static List<List<String>> zarrs(Scenario scenario) {
        List<List<String>> variants = new ArrayList<>();
        if (scenario.work() == Work.CACHED) {
            return variants;
        }
        String url = scenario.work().urlOption();
        if (!url.isEmpty()) {
            return inFlight(scenario, remoteReads(scenario), List.of(url));
        }
        for (String index : List.of("index_cache=0", "index_cache=1")) {
            variants.addAll(inFlight(scenario, List.of(1, 64), List.of(index)));
        }
        return variants;
    }

    private static List<List<String>> zarrPython(Scenario scenario) {
        return switch (scenario.work()) {
            case HOT -> List.of(List.of());
            case REMOTE, S3, FAR ->
                    inFlight(
                            scenario,
                            remoteReads(scenario),
                            List.of(scenario.work().urlOption(), "requests=64"));
            case CACHED, COLD, LATENCY -> List.of();
        };
    }

    /** Returns how many crops peers read at once; few take too long from a distant server. */
    private static List<Integer> remoteReads(Scenario scenario) {
        return scenario.work() == Work.FAR ? List.of(64) : List.of(16, 64);
    }

    /** Returns ways with several crops in flight; for latency, one crop. */
    private static List<List<String>> inFlight(
            Scenario scenario, List<Integer> counts, List<String> more) {
        List<List<String>> variants = new ArrayList<>();
        int crops = scenario.work() == Work.LATENCY ? 1 : scenario.crops().lines().size();
        for (int count : counts) {
            List<String> variant = new ArrayList<>(List.of("in_flight=" + Math.min(count, crops)));
            variant.addAll(more);
            if (!variants.contains(variant)) {
                variants.add(variant);
            }
        }
        return variants;
    }

    private List<List<String>> limit(Scenario scenario) {
        boolean isGoal = scenario.goals().stream().anyMatch(goal -> goal.limits().contains(this));
        boolean isUseful =
                switch (this) {
                    case C -> scenario.work() != Work.CACHED && scenario.work() != Work.S3;
                    case C_DECODE ->
                            scenario.work() == Work.HOT
                                    && scenario.array().encoding() != ChunkEncoding.RAW;
                    default -> false;
                };
        if (!isGoal && !isUseful) {
            return List.of();
        }
        List<String> options = new ArrayList<>(geometry(scenario.array()));
        options.add("mode=" + mode());
        if (scenario.work() == Work.COLD && this != C_DECODE) {
            options.add("direct=1");
            return List.of(with(options, "threads=16"), with(options, "threads=64"));
        }
        if (!scenario.work().urlOption().isEmpty()) { // A thread has one request under way.
            options.add(scenario.work().urlOption());
            options.add("gap=65536");
            if (scenario.work() == Work.FAR) {
                return List.of(with(options, "threads=64"));
            }
            return List.of(
                    with(options, "threads=2"),
                    with(options, "threads=4"),
                    with(options, "threads=64"));
        }
        return List.of(options);
    }

    private static List<String> with(List<String> options, String one) {
        List<String> more = new ArrayList<>(options);
        more.add(one);
        return more;
    }

    private String mode() {
        return switch (this) {
            case C_DECODE -> "decode";
            case C_READ -> "read";
            case C_WRITE -> "write";
            case C_COPY -> "copy";
            default -> "crop";
        };
    }

    private static List<String> geometry(BenchArray array) {
        return List.of(
                "shape=" + list(array.shape()),
                "chunk=" + list(array.chunkShape()),
                "inner=" + list(array.innerShape()),
                "item=" + array.type().byteSize(),
                "codec=" + array.encoding().word());
    }

    private static String list(long[] values) {
        return Arrays.toString(values).replaceAll("[\\[\\] ]", "");
    }
}
