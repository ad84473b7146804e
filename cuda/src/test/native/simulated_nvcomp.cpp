/*
 * Simulates nvCOMP 5.1 without a device, together with simulated_cudart.cpp: decoders of LZ4,
 * Snappy, Zstd, Deflate and Gzip, and encoders of LZ4 and Zstd. The host's libraries do the work,
 * except for Snappy, when the stream reaches it. Scratch memory must be present and large enough.
 * It is overwritten, as by the real nvCOMP, and so is the whole target of an encoder.
 */
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void simulated_enqueue(void *stream, void (*work)(void *), void *argument);

namespace {

struct Options {
    int words[16];
};

struct Alignments {
    size_t input, output, temp;
};

enum Format { lz4, snappy, zstd, deflate, gzip };

struct Job {
    Format format;
    const void *const *sources;
    const size_t *sourceBytes;
    const size_t *capacities; /* null: encode */
    size_t chunkBytesMax;
    size_t *actualBytes;
    size_t chunks;
    void *scratch;
    size_t scratchBytes;
    void *const *targets;
    int *statuses;
};

template <typename Function>
Function symbol(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_NOW);
    void *found = handle ? dlsym(handle, name) : nullptr;
    if (!found) {
        abort();
    }
    return reinterpret_cast<Function>(found);
}

struct Inflate { /* z_stream */
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *alloc, *release, *opaque;
    int data_type;
    unsigned long adler, reserved;
};

int64_t inflate_all(const void *source, size_t bytes, void *target, size_t capacity, int window_bits) {
    static auto begin = symbol<int (*)(Inflate *, int, const char *, int)>("libz.so.1", "inflateInit2_");
    static auto run = symbol<int (*)(Inflate *, int)>("libz.so.1", "inflate");
    static auto end = symbol<int (*)(Inflate *)>("libz.so.1", "inflateEnd");
    Inflate stream = {};
    stream.next_in = static_cast<const uint8_t *>(source);
    stream.avail_in = static_cast<unsigned>(bytes);
    stream.next_out = static_cast<uint8_t *>(target);
    stream.avail_out = static_cast<unsigned>(capacity);
    begin(&stream, window_bits, "1.2.11", sizeof stream);
    int code = run(&stream, 4); /* Z_FINISH */
    end(&stream);
    return code == 1 ? static_cast<int64_t>(stream.total_out) : -1;
}

/* Source: github.com/google/snappy, format_description.txt. */
int64_t unsnap(const uint8_t *source, size_t bytes, uint8_t *target, size_t capacity) {
    const uint8_t *end = source + bytes;
    size_t length = 0, written = 0;
    for (int shift = 0; source < end && shift < 35; shift += 7) {
        length |= static_cast<size_t>(*source & 0x7f) << shift;
        if ((*source++ & 0x80) == 0) {
            break;
        }
    }
    auto number = [&](size_t of) {
        size_t value = 0;
        for (size_t i = 0; i < of; i++) {
            value |= static_cast<size_t>(*source++) << (8 * i);
        }
        return value;
    };
    while (source < end) {
        size_t tag = *source++, kind = tag & 3, upper = tag >> 2;
        size_t more = kind == 0 ? (upper < 60 ? 0 : upper - 59) : kind == 3 ? 4 : kind;
        if (static_cast<size_t>(end - source) < more) {
            return -1;
        }
        size_t value = number(more);
        size_t count = kind == 0 ? (upper < 60 ? upper : value) + 1 : kind == 1 ? (upper & 7) + 4 : upper + 1;
        if (count > capacity - written) {
            return -1;
        }
        if (kind == 0) {
            if (static_cast<size_t>(end - source) < count) {
                return -1;
            }
            memcpy(target + written, source, count);
            source += count;
            written += count;
            continue;
        }
        size_t distance = kind == 1 ? (tag >> 5) << 8 | value : value;
        if (distance == 0 || distance > written) {
            return -1;
        }
        for (size_t i = 0; i < count; i++, written++) {
            target[written] = target[written - distance];
        }
    }
    return written == length ? static_cast<int64_t>(written) : -1;
}

int64_t decode(Format format, const void *source, size_t bytes, void *target, size_t capacity) {
    static auto zstd_run = symbol<size_t (*)(void *, size_t, const void *, size_t)>("libzstd.so.1", "ZSTD_decompress");
    static auto zstd_failed = symbol<unsigned (*)(size_t)>("libzstd.so.1", "ZSTD_isError");
    static auto lz4_run = symbol<int (*)(const void *, void *, int, int)>("liblz4.so.1", "LZ4_decompress_safe");
    switch (format) {
        case zstd: {
            size_t decoded = zstd_run(target, capacity, source, bytes);
            return zstd_failed(decoded) ? -1 : static_cast<int64_t>(decoded);
        }
        case lz4: return lz4_run(source, target, static_cast<int>(bytes), static_cast<int>(capacity));
        case snappy:
            return unsnap(static_cast<const uint8_t *>(source), bytes, static_cast<uint8_t *>(target), capacity);
        case deflate: return inflate_all(source, bytes, target, capacity, -15);
        default: return inflate_all(source, bytes, target, capacity, 31);
    }
}

size_t encoded_bytes_max(Format format, size_t chunkBytesMax) {
    return chunkBytesMax + chunkBytesMax / 200 + (format == zstd ? 100 : 16);
}

int64_t encode(Format format, const void *source, size_t bytes, void *target, size_t capacity) {
    static auto zstd_run = symbol<size_t (*)(void *, size_t, const void *, size_t, int)>("libzstd.so.1", "ZSTD_compress");
    static auto zstd_failed = symbol<unsigned (*)(size_t)>("libzstd.so.1", "ZSTD_isError");
    static auto lz4_run = symbol<int (*)(const void *, void *, int, int)>("liblz4.so.1", "LZ4_compress_default");
    memset(target, 0x5A, capacity);
    if (format == zstd) {
        size_t encoded = zstd_run(target, capacity, source, bytes, 1);
        return zstd_failed(encoded) ? -1 : static_cast<int64_t>(encoded);
    }
    int encoded = lz4_run(source, target, static_cast<int>(bytes), static_cast<int>(capacity));
    return encoded == 0 ? -1 : encoded;
}

size_t scratch_bytes(Format format, size_t total) { return format == zstd ? 3 * total + 1000 : 0; }

/*
 * SIMULATED_NVCOMP_FAULT=<what>:<n>: every n-th chunk is spoiled. "status": it gets a bad status,
 * and other bytes in its target. "size": it is decoded to one byte less, with other bytes in its
 * target. "beyond": it gets a bad status, and for deflate and gzip the bytes after its target are
 * changed too, as nvCOMP 5.1 does.
 */
void spoil(Job *job, size_t i) {
    static const char *plan = getenv("SIMULATED_NVCOMP_FAULT");
    static unsigned long chunks = 0;
    char what[20];
    unsigned long every;
    if (!plan || !job->capacities || sscanf(plan, "%19[^:]:%lu", what, &every) != 2 || ++chunks % every != 0) {
        return;
    }
    bool isBeyond = strcmp(what, "beyond") == 0;
    bool keepsToTarget = job->format == zstd || job->format == lz4;
    memset(job->targets[i], 0x5A, job->capacities[i] + (isBeyond && !keepsToTarget ? 300 : 0));
    if (isBeyond || strcmp(what, "status") == 0) {
        job->statuses[i] = 12;
    } else {
        job->actualBytes[i]--;
    }
}

void run(void *argument) {
    Job *job = static_cast<Job *>(argument);
    memset(job->scratch, 0x5A, scratch_bytes(job->format, 0));
    for (size_t i = 0; i < job->chunks; i++) {
        int64_t bytes = job->capacities
                ? decode(job->format, job->sources[i], job->sourceBytes[i], job->targets[i], job->capacities[i])
                : encode(job->format, job->sources[i], job->sourceBytes[i], job->targets[i],
                        encoded_bytes_max(job->format, job->chunkBytesMax));
        job->actualBytes[i] = bytes < 0 ? 0 : static_cast<size_t>(bytes);
        job->statuses[i] = bytes >= 0 ? 0 : job->capacities ? 12 : 19;
    }
    for (size_t i = 0; i < job->chunks; i++) { /* last: a device's chunks have no order */
        spoil(job, i);
    }
    delete job;
}

int start(Job job, const Options &options, void *stream) {
    for (int word : options.words) {
        if (word != 0) {
            return 10;
        }
    }
    if (scratch_bytes(job.format, 0) > job.scratchBytes) {
        return 10;
    }
    simulated_enqueue(stream, run, new Job(job));
    return 0;
}

} // namespace

extern "C" {

int nvcompGetProperties(uint32_t *properties) {
    properties[0] = 5100;
    properties[1] = 13000;
    return 0;
}

#define FORMAT(F, format, direction, inputAlignment, tempAlignment) \
    int nvcompBatched##F##direction##GetRequiredAlignments(Options, Alignments *alignments) { \
        *alignments = {inputAlignment, 1, tempAlignment}; \
        return 0; \
    } \
    int nvcompBatched##F##direction##GetTempSizeAsync(size_t, size_t, Options, size_t *bytes, size_t total) { \
        *bytes = scratch_bytes(format, total); \
        return 0; \
    }

#define DECODER(F, format, inputAlignment, tempAlignment) \
    FORMAT(F, format, Decompress, inputAlignment, tempAlignment) \
    int nvcompBatched##F##DecompressAsync(const void *const *sources, const size_t *sourceBytes, \
            const size_t *capacities, size_t *actualBytes, size_t chunks, void *scratch, size_t scratchBytes, \
            void *const *targets, Options options, int *statuses, void *stream) { \
        return start({format, sources, sourceBytes, capacities, 0, actualBytes, chunks, scratch, scratchBytes, targets, statuses}, options, stream); \
    }

#define ENCODER(F, format, inputAlignment, tempAlignment) \
    FORMAT(F, format, Compress, inputAlignment, tempAlignment) \
    int nvcompBatched##F##CompressGetMaxOutputChunkSize(size_t chunkBytesMax, Options, size_t *bytes) { \
        *bytes = encoded_bytes_max(format, chunkBytesMax); \
        return 0; \
    } \
    int nvcompBatched##F##CompressAsync(const void *const *sources, const size_t *sourceBytes, \
            size_t chunkBytesMax, size_t chunks, void *scratch, size_t scratchBytes, void *const *targets, \
            size_t *actualBytes, Options options, int *statuses, void *stream) { \
        return start({format, sources, sourceBytes, nullptr, chunkBytesMax, actualBytes, chunks, scratch, scratchBytes, targets, statuses}, options, stream); \
    }

DECODER(LZ4, lz4, 1, 1)
DECODER(Snappy, snappy, 1, 1)
DECODER(Zstd, zstd, 1, 8)
DECODER(Deflate, deflate, 4, 1)
DECODER(Gzip, gzip, 1, 1)
ENCODER(LZ4, lz4, 4, 4)
ENCODER(Zstd, zstd, 4, 4)
}
