package io.zarrengine.fuzz;

/** The entry for Jazzer; {@code -Dio.zarrengine.fuzz.target=NAME} chooses the target. */
public final class Fuzzer {
    private static final FuzzTarget TARGET =
            FuzzTargetList.all().get(System.getProperty("io.zarrengine.fuzz.target"));

    private Fuzzer() {}

    /** Runs one input. */
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.run(input);
    }
}
