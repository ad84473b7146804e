package io.zarrengine.fuzz;

/** What Jazzer calls; {@code -Dio.zarrengine.fuzz.target=NAME} says for which target. */
public final class Fuzzer {
    private static final FuzzTarget TARGET =
            FuzzTargetList.all().get(System.getProperty("io.zarrengine.fuzz.target"));

    private Fuzzer() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.run(input);
    }
}
