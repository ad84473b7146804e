package io.zarrengine.fuzz;

/** Code that parses untrusted bytes. */
@FunctionalInterface
interface FuzzTarget {
    /**
     * Parses an input. Returns if the input is accepted or refused with the specified exception;
     * any other result is a bug.
     */
    void run(byte[] input);
}
