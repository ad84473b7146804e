package io.zarrengine.bindings.machinecode;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A handmade deflate stream and its decoded bytes: any valid lengths of codes and matches, any
 * distances. Section numbers are those of RFC 1951.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1951">RFC 1951</a>
 */
final class CraftedDeflate {
    static final int MATCH_MIN = 3;
    static final int MATCH_MAX = 258;
    private static final int END_OF_BLOCK = 256;
    private static final int BITS_MAX = 15;
    private static final int[] ORDER = { // 3.2.7
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
    };

    /** A flaw of a dynamic block. */
    enum Flaw {
        NONE,
        SYMBOLS_TOO_LONG,
        SYMBOLS_TOO_SHORT,
        DISTANCES_TOO_LONG,
        DISTANCES_TOO_SHORT,
        LENGTHS_TOO_LONG,
        LENGTHS_TOO_SHORT,
        NO_END,
        TOO_MANY_SYMBOLS,
        TOO_MANY_DISTANCES,
        REPEATS_TOO_OFTEN,
        REPEATS_NOTHING,
        THE_OTHER_OF_ONE_DISTANCE,
        THREE_DISTANCES_OF_ONE_BIT
    }

    /** A literal or a match. It is a literal if {@code match} is 0. */
    private record Token(int literal, int match, int distance) {}

    private final SplittableRandom random;
    private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    private final ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    private final List<Token> tokens = new ArrayList<>(); // of the current block
    private int bits; // not yet a whole byte
    private int bitCount;
    private int literalVariety = 256;
    private int longestBits = BITS_MAX; // of used symbols, if they get long codes
    private boolean isLong;
    private Flaw flaw = Flaw.NONE;

    /** {@code random} chooses literals and codes. */
    CraftedDeflate(SplittableRandom random) {
        this.random = random;
    }

    /** Sets the number of different literals that follow. Few of them have short codes. */
    CraftedDeflate variety(int literals) {
        literalVariety = literals;
        return this;
    }

    /** Gives used symbols the longest codes of at most a number of bits. */
    CraftedDeflate longCodes(int bits) {
        isLong = true;
        longestBits = bits;
        return this;
    }

    CraftedDeflate flaw(Flaw wrong) {
        flaw = wrong;
        return this;
    }

    CraftedDeflate literals(int count) {
        for (int k = 0; k < count; k++) {
            int literal = random.nextInt(literalVariety);
            tokens.add(new Token(literal, 0, 0));
            decoded.write(literal);
        }
        return this;
    }

    /** Adds a match, even if its distance leads before the front. */
    CraftedDeflate match(int bytes, int distance) {
        tokens.add(new Token(0, bytes, distance));
        byte[] before = decoded.toByteArray();
        for (int k = 0; distance <= before.length && k < bytes; k++) {
            decoded.write(before[before.length - distance + k % distance]);
        }
        return this;
    }

    /** Ends a block of 3.2.6 with the tokens added since the previous block. */
    CraftedDeflate fixed(boolean isLast) {
        int[] symbolBits = new int[288];
        Arrays.setAll(symbolBits, k -> k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8);
        int[] distanceBits = new int[30];
        Arrays.fill(distanceBits, 5);
        write(isLast ? 1 : 0, 1);
        write(1, 2);
        writeTokens(symbolBits, distanceBits);
        return this;
    }

    /**
     * Ends a block of 3.2.7, with random complete codes; of distances perhaps one code, or none.
     */
    CraftedDeflate dynamic(boolean isLast) {
        boolean[] symbols = new boolean[286];
        boolean[] distances = new boolean[30];
        symbols[END_OF_BLOCK] = true;
        symbols[random.nextInt(END_OF_BLOCK)] = true; // at least two
        for (Token token : tokens) {
            if (token.match == 0) {
                symbols[token.literal] = true;
            } else {
                symbols[257 + lengthCode(token.match)] = true;
                distances[distanceCode(token.distance)] = true;
            }
        }
        int[] symbolBits = random.nextBoolean() ? complete(symbols) : manyLengths(symbols);
        int[] distanceBits = new int[30];
        boolean needsOne =
                flaw == Flaw.THE_OTHER_OF_ONE_DISTANCE
                        || flaw == Flaw.THREE_DISTANCES_OF_ONE_BIT
                        || flaw == Flaw.REPEATS_TOO_OFTEN;
        boolean needsSeveral = count(distances) > 1 || flaw.name().startsWith("DISTANCES");
        boolean isOne = needsOne || (!needsSeveral && random.nextBoolean());
        if (!isOne) {
            distances[random.nextInt(15)] = true;
            distances[15 + random.nextInt(15)] = true;
            distanceBits = complete(distances);
        } else {
            for (int k = 0; k < 30; k++) {
                distanceBits[k] = distances[k] ? 1 : 0;
            }
        }
        if (flaw == Flaw.THREE_DISTANCES_OF_ONE_BIT) {
            Arrays.fill(distanceBits, 0, 3, 1);
        }
        write(isLast ? 1 : 0, 1);
        write(2, 2);
        writeCodes(symbolBits, distanceBits);
        writeTokens(symbolBits, distanceBits);
        return this;
    }

    /**
     * Ends the stream with literals whose code lengths have a single code of one bit, where two are
     * required. A decoder without a check reads the other bit as a run of zeros.
     */
    CraftedDeflate oneCodeForLengths(int literals) {
        int first = 12; // zeros: the bit without a code, and 6 zero bits, as a run of code 18
        int[] symbolBits = new int[first + 256];
        Arrays.fill(symbolBits, first, symbolBits.length, 8);
        write(1, 1);
        write(2, 2);
        write(symbolBits.length - 257, 5);
        write(first - 1, 5);
        write(5 - 4, 4);
        for (int k = 0; k < 5; k++) {
            write(ORDER[k] == 8 ? 1 : 0, 3);
        }
        write(1, 7);
        for (int k = 0; k < 32; k++) {
            write(0, 8);
        }
        write(1, 7);
        for (int k = 0; k < literals; k++) {
            tokens.add(new Token(first + random.nextInt(200), 0, 0));
        }
        writeTokens(symbolBits, new int[30]);
        return this;
    }

    /** Adds a block of 3.2.4. */
    CraftedDeflate stored(boolean isLast, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        write(isLast ? 1 : 0, 1);
        write(0, 2);
        pad();
        write(bytes, 16);
        write(~bytes & 0xffff, 16);
        encoded.writeBytes(content);
        decoded.writeBytes(content);
        return this;
    }

    byte[] encoded() {
        byte[] whole = encoded.toByteArray();
        if (bitCount == 0) {
            return whole;
        }
        byte[] padded = Arrays.copyOf(whole, whole.length + 1);
        padded[whole.length] = (byte) bits;
        return padded;
    }

    byte[] decoded() {
        return decoded.toByteArray();
    }

    int decodedBytes() {
        return decoded.size();
    }

    private static int count(boolean... used) {
        int count = 0;
        for (boolean is : used) {
            count += is ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns a code in which half or three quarters of the symbols are lengths, for other loops.
     */
    private int[] manyLengths(boolean... symbols) {
        int bitsMore = 1 + random.nextInt(2);
        int middle = bitsMore == 1 ? symbols.length : 272; // the last symbols are half of all
        int[] bits = Arrays.copyOf(part(symbols, 0, 257, bitsMore), symbols.length);
        System.arraycopy(part(symbols, 257, middle, bitsMore), 0, bits, 257, middle - 257);
        if (middle < symbols.length) {
            int[] last = part(symbols, middle, symbols.length, 1);
            System.arraycopy(last, 0, bits, middle, last.length);
        }
        return bits;
    }

    /** Returns a complete code for some symbols, after bits that they have in common. */
    private int[] part(boolean[] symbols, int from, int to, int bitsMore) {
        boolean[] used = Arrays.copyOfRange(symbols, from, to);
        int[] bits = complete(used, BITS_MAX - bitsMore, bitsMore);
        for (int k = 0; k < bits.length; k++) {
            bits[k] += bits[k] > 0 ? bitsMore : 0;
        }
        return bits;
    }

    private int[] complete(boolean... used) {
        return complete(used, BITS_MAX, 0);
    }

    /**
     * Returns the bits of a complete code for the used symbols and some others: splits the leaves
     * of a tree at random, for long codes. Each code gets {@code bitsMore} more bits later.
     */
    private int[] complete(boolean[] used, int bitsMax, int bitsMore) {
        boolean[] all = used.clone();
        int others = isLong ? 10 * used.length : random.nextInt(used.length);
        for (int k = 0; k < others; k++) {
            all[random.nextInt(all.length)] = true;
        }
        int leaves = Math.max(2, count(all));
        List<Integer> depths = new ArrayList<>(List.of(1, 1));
        int steepness = random.nextInt(1, 4);
        while (depths.size() < leaves) {
            int at = random.nextInt(depths.size());
            for (int k = 1; k < steepness; k++) { // prefers deep leaves
                int other = random.nextInt(depths.size());
                boolean isDeeper = depths.get(other) > depths.get(at);
                at = isDeeper && depths.get(other) < bitsMax ? other : at;
            }
            int depth = depths.get(at) + 1;
            if (depth <= bitsMax) {
                depths.set(at, depth);
                depths.add(depth);
            }
        }
        int[] bits = new int[all.length];
        for (int k = 0; k < all.length; k++) {
            if (used[k]) {
                int any = random.nextInt(depths.size());
                bits[k] = take(depths, isLong ? longest(depths, longestBits - bitsMore) : any);
            }
        }
        for (int k = 0; k < all.length; k++) {
            if (all[k] && !used[k]) {
                bits[k] = take(depths, random.nextInt(depths.size()));
            }
        }
        for (int k = 0; !depths.isEmpty(); k++) { // an unused symbol
            bits[k] = bits[k] == 0 ? depths.removeFirst() : bits[k];
        }
        return bits;
    }

    private static int take(List<Integer> depths, int at) {
        int depth = depths.get(at);
        depths.subList(at, at + 1).clear();
        return depth;
    }

    private static int longest(List<Integer> depths, int atMost) {
        int longest = 0;
        for (int k = 0; k < depths.size(); k++) {
            int bits = depths.get(k);
            boolean isLonger = bits > depths.get(longest) || depths.get(longest) > atMost;
            longest = bits <= atMost && isLonger ? k : longest;
        }
        return longest;
    }

    private void writeCodes(int[] symbolBits, int[] distanceBits) {
        int symbols = Math.max(257, Math.min(286, lastUsed(symbolBits) + random.nextInt(2)));
        int distances = Math.min(30, lastUsed(distanceBits) + 1);
        symbols = flaw == Flaw.TOO_MANY_SYMBOLS ? 287 + random.nextInt(2) : symbols;
        distances = flaw == Flaw.TOO_MANY_DISTANCES ? 31 + random.nextInt(2) : distances;
        int[] all = Arrays.copyOf(symbolBits, symbols + distances);
        System.arraycopy(distanceBits, 0, all, symbols, Math.min(distances, 30));
        switch (flaw) {
            case SYMBOLS_TOO_LONG -> change(all, 0, symbols, 1);
            case SYMBOLS_TOO_SHORT -> change(all, 0, symbols, -1);
            case DISTANCES_TOO_LONG -> change(all, symbols, symbols + distances, 1);
            case DISTANCES_TOO_SHORT -> change(all, symbols, symbols + distances, -1);
            case NO_END -> {
                int unused = 0;
                while (all[unused] > 0) {
                    unused++;
                }
                all[unused] = all[END_OF_BLOCK];
                all[END_OF_BLOCK] = 0;
            }
            default -> {}
        }
        boolean isTooOften = flaw == Flaw.REPEATS_TOO_OFTEN;
        List<int[]> runs = runs(isTooOften ? Arrays.copyOf(all, lastUsed(all)) : all);
        if (flaw == Flaw.REPEATS_NOTHING) {
            runs.addFirst(new int[] {16, 0, 2});
        } else if (isTooOften) {
            runs.add(new int[] {18, 127, 7});
        }
        boolean[] used = new boolean[19];
        runs.forEach(run -> used[run[0]] = true);
        int[] lengthBits = complete(used, 7, 0);
        int[] codes = codes(lengthBits);
        switch (flaw) {
            case LENGTHS_TOO_LONG -> change(lengthBits, 0, 19, 1);
            case LENGTHS_TOO_SHORT -> change(lengthBits, 0, 19, -1);
            default -> {}
        }
        int lengths = 19;
        while (lengths > 4 && lengthBits[ORDER[lengths - 1]] == 0) {
            lengths--;
        }
        write(symbols - 257, 5);
        write(distances - 1, 5);
        write(lengths - 4, 4);
        for (int k = 0; k < lengths; k++) {
            write(lengthBits[ORDER[k]], 3);
        }
        for (int[] run : runs) {
            writeCode(codes[run[0]], lengthBits[run[0]]);
            write(run[1], run[2]);
        }
    }

    /** Changes the length of one code by a bit; the code remains. */
    private void change(int[] bits, int from, int to, int by) {
        int most = bits.length == ORDER.length ? 7 : BITS_MAX;
        int at;
        do {
            at = random.nextInt(from, to);
        } while (bits[at] == 0 || bits[at] + by == 0 || bits[at] + by > most);
        bits[at] += by;
    }

    private static int lastUsed(int... bits) {
        int last = bits.length;
        while (last > 0 && bits[last - 1] == 0) {
            last--;
        }
        return last;
    }

    /** Returns code lengths as code, extra bits and their count, with or without codes for runs. */
    private List<int[]> runs(int... all) {
        List<int[]> runs = new ArrayList<>();
        for (int k = 0; k < all.length; ) {
            int end = k;
            while (end < all.length && all[end] == all[k]) {
                end++;
            }
            int run = end - k;
            boolean isTold = random.nextInt(4) > 0;
            if (all[k] == 0 && run >= 11 && isTold) {
                run = Math.min(run, 138);
                runs.add(new int[] {18, run - 11, 7});
            } else if (all[k] == 0 && run >= 3 && isTold) {
                run = Math.min(run, 10);
                runs.add(new int[] {17, run - 3, 3});
            } else if (k > 0 && all[k] == all[k - 1] && run >= 3 && isTold) {
                run = Math.min(run, 6);
                runs.add(new int[] {16, run - 3, 2});
            } else {
                run = 1;
                runs.add(new int[] {all[k], 0, 0});
            }
            k += run;
        }
        return runs;
    }

    private void writeTokens(int[] symbolBits, int[] distanceBits) {
        int[] symbolCodes = codes(symbolBits);
        int[] distanceCodes = codes(distanceBits);
        for (Token token : tokens) {
            if (token.match == 0) {
                writeCode(symbolCodes[token.literal], symbolBits[token.literal]);
                continue;
            }
            int length = lengthCode(token.match);
            writeCode(symbolCodes[257 + length], symbolBits[257 + length]);
            write(token.match - lengthBase(length), lengthExtra(length));
            int distance = distanceCode(token.distance);
            int wrong = flaw == Flaw.THE_OTHER_OF_ONE_DISTANCE ? 1 : 0;
            writeCode(distanceCodes[distance] ^ wrong, distanceBits[distance]);
            write(token.distance - distanceBase(distance), distanceExtra(distance));
        }
        writeCode(symbolCodes[END_OF_BLOCK], symbolBits[END_OF_BLOCK]);
        tokens.clear();
    }

    /** Returns the codes of 3.2.2. */
    private static int[] codes(int... bits) {
        int[] codes = new int[bits.length];
        int code = 0;
        for (int n = 1; n <= BITS_MAX; n++, code <<= 1) {
            for (int k = 0; k < bits.length; k++) {
                if (bits[k] == n) {
                    codes[k] = code++;
                }
            }
        }
        return codes;
    }

    /** Writes a code, from its highest bit on, 3.1.1. */
    private void writeCode(int code, int count) {
        write(Integer.reverse(code) >>> 1 >>> (31 - count), count);
    }

    private void write(int value, int count) {
        for (int k = 0; k < count; k++) {
            bits |= (value >> k & 1) << bitCount;
            if (++bitCount == Byte.SIZE) {
                encoded.write(bits);
                bits = bitCount = 0;
            }
        }
    }

    private void pad() {
        while (bitCount > 0) {
            write(random.nextInt(2), 1); // ignored, 3.2.4
        }
    }

    // 3.2.5

    private static int lengthCode(int match) {
        int code = 28;
        while (lengthBase(code) > match) {
            code--;
        }
        return code;
    }

    private static int lengthExtra(int code) {
        return code < 8 || code == 28 ? 0 : code / 4 - 1;
    }

    private static int lengthBase(int code) {
        return code == 28
                ? MATCH_MAX
                : code < 8 ? MATCH_MIN + code : MATCH_MIN + ((4 + code % 4) << (code / 4 - 1));
    }

    private static int distanceCode(int distance) {
        int code = 29;
        while (distanceBase(code) > distance) {
            code--;
        }
        return code;
    }

    private static int distanceExtra(int code) {
        return code < 4 ? 0 : code / 2 - 1;
    }

    private static int distanceBase(int code) {
        return code < 4 ? 1 + code : 1 + ((2 + code % 2) << (code / 2 - 1));
    }
}
