/* LZ4 blocks: single sequences with every check. sequences.s decodes the usual sequences. */
#include "lz4.h"

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/*
 * Decodes one sequence, and writes only the part before stop. Returns 1 if more sequences follow, 0 after the last one,
 * or REFUSED.
 */
static int decodeSequence(Run *run, const uint8_t *stop) {
    const uint8_t *at = run->at;
    uint8_t *to = run->to;
    if (at == run->end) {
        return REFUSED;
    }
    uint8_t token = *at++;
    int64_t literals = token >> 4;
    /* As in liblz4: more input must follow the last byte of a length. */
    if (literals == LENGTH_MORE && (at = readLength(at, run->end, LENGTH_MORE, &literals)) == NULL) {
        return REFUSED;
    }
    if (literals > run->end - at || literals > run->toEnd - to) {
        return REFUSED;
    }
    copyExactly(to, at, least(literals, stop - to));
    at += literals;
    to += literals;
    if (at == run->end) {
        run->at = at;
        run->to = to;
        return 0;
    }
    if (run->end - at < 3 + LAST_LITERALS || run->toEnd - to < MATCH_BEFORE) {
        return REFUSED;
    }
    int64_t offset = at[0] | at[1] << 8;
    at += 2;
    int64_t match = token & 15;
    if (match == LENGTH_MORE && (at = readLength(at, run->end, LAST_LITERALS - 1, &match)) == NULL) {
        return REFUSED;
    }
    match += MATCH_MIN;
    if (offset == 0 || offset > to - run->begin || match > run->toEnd - to - LAST_LITERALS) {
        return REFUSED;
    }
    if (to < stop) {
        copyMatch(to, offset, least(match, stop - to), stop - to);
    }
    run->at = at;
    run->to = to + match;
    return 1;
}

/* Decodes up to stop, or to the end. Returns REFUSED if that is not possible. */
static int decode(Run *run, uint8_t *stop) {
    int more = 1;
    while (more > 0 && run->to < stop) {
        if (run->to - run->begin >= HISTORY) {
            uint8_t *end = run->toEnd;
            run->toEnd = stop;
            decodeSequences(run);
            run->toEnd = end;
        }
        more = decodeSequence(run, stop);
    }
    return more;
}

/*
 * Adds to the gain. The difference is limited by the faster time, so that an interruption by the system counts little.
 */
static void learn(int32_t *gain, int64_t usualTicks, int64_t farTicks) {
    int64_t most = least(least(usualTicks, farTicks), GAIN_MAX);
    int64_t faster = usualTicks - farTicks;
    faster = faster > most ? most : faster < -most ? -most : faster;
    *gain += (int32_t) (faster - *gain / 8);
}

/* Decodes twice, to the same memory: the second loop finds the data that the first one has fetched. */
static int decodeByBoth(Run *run, uint8_t *stop, int64_t isFarFirst, int32_t *gain) {
    Run again = *run;
    run->isFar = isFarFirst;
    again.isFar = !isFarFirst;
    int64_t begin = (int64_t) __builtin_ia32_rdtsc();
    int more = decode(run, stop);
    int64_t middle = (int64_t) __builtin_ia32_rdtsc();
    if (more != REFUSED) {
        decode(&again, stop);
        int64_t first = middle - begin;
        int64_t second = (int64_t) __builtin_ia32_rdtsc() - middle;
        learn(gain, isFarFirst ? second : first, isFarFirst ? first : second);
    }
    return more;
}

int64_t stateBytes(void) {
    return sizeof(State);
}

/*
 * Decodes a block, or at least its first `wanted` bytes without reading the rest. Returns the number of decoded bytes,
 * or REFUSED. wanted: INT64_MAX for all.
 */
int64_t decodeBlock(int64_t bytes, const uint8_t *block, int64_t room, int64_t wanted, State *state, uint8_t *to) {
    if ((uintptr_t) to <= UINT16_MAX) {
        return REFUSED; /* to - offset would wrap */
    }
    if (room == 0) {
        return bytes == 1 && *block == 0 ? 0 : REFUSED; /* as liblz4 */
    }
    int64_t ratio = least(bytes / (room / (RATIOS - 1) + 1), RATIOS - 1);
    uint32_t turn = state->blocks[ratio];
    state->blocks[ratio] = turn < 2 * TIMED_EVERY - 1 ? turn + 1 : 0;
    int32_t *gain = &state->gain[ratio];
    Run run = {block, to, to, block + bytes, to + room, .isFar = *gain > 0};
    uint8_t *stop = wanted < room ? to + wanted : run.toEnd;
    int more = turn % TIMED_EVERY == 0 ? decodeByBoth(&run, stop, turn == 0, gain) : decode(&run, stop);
    return more == REFUSED ? REFUSED : least(run.to - to, stop - to);
}
