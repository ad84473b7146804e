package io.zarrengine.bench.http;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The head of an answer with status 206 and a known length.
 *
 * @param bytes of the head, with the empty line
 * @param bodyBytes length of the body
 */
record RangeHead(int bytes, long bodyBytes) {
    private static final byte[] STATUS = bytes("HTTP/1.1 206 ");
    private static final byte[] LENGTH = bytes("content-length:");
    private static final byte[] ENCODING = bytes("transfer-encoding:");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return the head; null if it has not come as a whole} */
    static RangeHead parse(MemorySegment received, int count) throws IOException {
        long bodyBytes = -1;
        int line = 0;
        for (int i = 0; i + 1 < count; i++) {
            if (received.get(JAVA_BYTE, i) != '\r' || received.get(JAVA_BYTE, i + 1) != '\n') {
                continue;
            }
            if (line == 0 && !begins(received, 0, i, STATUS, 0)) {
                throw new IOException("another status than 206");
            }
            if (i == line) {
                if (bodyBytes < 0) {
                    throw new IOException("no length");
                }
                return new RangeHead(i + 2, bodyBytes);
            }
            if (begins(received, line, i, ENCODING, 0x20)) {
                throw new IOException("the length is not known");
            }
            if (begins(received, line, i, LENGTH, 0x20)) {
                bodyBytes = number(received, line + LENGTH.length, i);
            }
            line = i + 2;
        }
        return null;
    }

    private static boolean begins(
            MemorySegment received, int from, int to, byte[] name, int lowerCase) {
        if (to - from < name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            int found = received.get(JAVA_BYTE, from + i);
            if (found != name[i] && (found | lowerCase) != name[i]) {
                return false;
            }
        }
        return true;
    }

    private static long number(MemorySegment received, int from, int to) throws IOException {
        int at = from;
        while (at < to && received.get(JAVA_BYTE, at) == ' ') {
            at++;
        }
        long number = 0;
        if (at == to || to - at > 18) {
            throw new IOException("not a length");
        }
        for (; at < to; at++) {
            int digit = received.get(JAVA_BYTE, at) - '0';
            if (digit < 0 || digit > 9) {
                throw new IOException("not a length");
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
