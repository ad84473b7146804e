/* Measures the limits of the machine, as a worker of bin/bench compare: reads crops of an array in plain C,
   from the same files as the engine. No planning, no checks, no futures: an index in memory, fused preads, the
   codec, and rows copied to the destination. Modes of a reader:
     crop    all of these
     decode  only the codec, on the same chunks in mapped files
     read    only the preads
     write   the destination written once, from a buffer that stays in the cache
     copy    as many bytes copied from the mapped files to the destination
   With url=NAME of an environment variable, ranges come from that web server instead of preads, on a connection
   for each thread.
   build: gcc -O3 -march=native crop_limit.c -o crop_limit -lpthread -ldl
   The protocol is in WorkerProcess.java. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RANK_MAX = 8, FUSED_MAX = 1 << 20, SLAB_BYTES = 1 << 20, PAGE = 4096, THREADS_MAX = 256, READERS_MAX = 1024 };

typedef enum { CROP, DECODE, READ, WRITE, COPY } Mode;
typedef enum { RAW, ZSTD, BLOSC, GZIP } Codec;
typedef struct { long low[RANK_MAX], high[RANK_MAX], bytes; } Crop;
typedef struct { int fd; long size; char *map, *url; uint64_t *index; } File;
typedef struct { long file; uint64_t offset, length; long at[RANK_MAX]; } Piece;

typedef struct {
    char id[128];
    int rank, direct, threads, slabs, port; /* 0: files */
    Mode mode;
    Codec codec;
    long shape[RANK_MAX], chunk[RANK_MAX], inner[RANK_MAX], grid[RANK_MAX], per_chunk[RANK_MAX];
    long item, gap, inner_bytes, inner_count, file_count, crop_count, crop_bytes_max, pieces_max;
    File *files;
    Crop *crops;
    char *shared_target;
    struct Worker *workers; /* allocated when first needed */
    long limit; /* crops of this run */
    atomic_long next;
} Reader;

typedef struct Worker { Reader *reader; Piece *pieces; char *buffer, *decoded, *target; void *context; int socket; } Worker;

static void *(*zstd_new)(void);
static size_t (*zstd_decode)(void *, void *, size_t, const void *, size_t);
static int (*blosc_decode)(const void *, void *, size_t, int);
static void *(*gzip_new)(void);
static int (*gzip_decode)(void *, const void *, size_t, void *, size_t, size_t *);
static Reader *readers[READERS_MAX];

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("error\t");
    vprintf(format, arguments);
    puts("");
    fflush(stdout);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double cpu_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* Allocates bytes and a page more on huge pages, and writes them once. */
static void *memory(size_t bytes) {
    void *p = mmap(0, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) fail("no memory for %zu bytes", bytes);
    madvise(p, bytes + PAGE, MADV_HUGEPAGE);
    memset(p, 1, bytes);
    return p;
}

/* --- places of the chunks --- */

static int numbers(const char *text, long *out) {
    int n = 0;
    for (char *end; *text && n < RANK_MAX; text = *end == ',' ? end + 1 : end) out[n++] = strtol(text, &end, 10);
    return n;
}

/*
 * Indexes a file without shards: a compressed chunk is one piece; an uncompressed one is slabs, as
 * reading it by rows allows.
 */
static void index_of_file(Reader *r, File *f) {
    f->index = malloc(r->inner_count * 16);
    if (r->inner_count > 1 && !r->slabs) {
        if (pread(f->fd, f->index, r->inner_count * 16, f->size - 4 - r->inner_count * 16) != r->inner_count * 16) fail("no index");
        return;
    }
    uint64_t each = r->slabs ? r->inner_bytes : f->size;
    for (long i = 0; i < r->inner_count; i++) f->index[2 * i] = i * each, f->index[2 * i + 1] = each;
}

static void open_files(Reader *r, const char *path) {
    r->files = calloc(r->file_count, sizeof *r->files);
    for (long s = 0; s < r->file_count; s++) {
        char name[4096];
        long c[RANK_MAX], rest = s;
        for (int k = r->rank - 1; k >= 0; k--) c[k] = rest % r->grid[k], rest /= r->grid[k];
        int n = snprintf(name, sizeof name, "%s/c", path);
        for (int k = 0; k < r->rank; k++) n += snprintf(name + n, sizeof name - n, "/%ld", c[k]);
        File *f = &r->files[s];
        struct stat status;
        f->fd = open(name, O_RDONLY);
        if (f->fd < 0 || fstat(f->fd, &status)) fail("%s: %s", name, strerror(errno));
        f->size = status.st_size;
        f->url = strdup(name + (strrchr(path, '/') - path));
        index_of_file(r, f);
        if (r->mode == DECODE || r->mode == COPY) {
            f->map = mmap(0, f->size, PROT_READ, MAP_SHARED | MAP_POPULATE, f->fd, 0);
            if (f->map == MAP_FAILED) fail("mmap %s: %s", name, strerror(errno));
        }
        if (r->direct) {
            close(f->fd);
            f->fd = open(name, O_RDONLY | O_DIRECT);
            if (f->fd < 0) fail("O_DIRECT %s: %s", name, strerror(errno));
        }
    }
}

static void read_crops(Reader *r, const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) fail("%s: %s", path, strerror(errno));
    char line[1024];
    long capacity = 0;
    while (fgets(line, sizeof line, in)) {
        if (r->crop_count == capacity) r->crops = realloc(r->crops, (capacity = capacity * 2 + 64) * sizeof *r->crops);
        Crop *c = &r->crops[r->crop_count++];
        c->bytes = r->item;
        long pieces = 1;
        char *text = line;
        for (int k = 0; k < r->rank; k++) {
            c->low[k] = strtol(text, &text, 10);
            c->high[k] = strtol(text + 1, &text, 10);
            text += *text == ',';
            c->bytes *= c->high[k] - c->low[k];
            pieces *= (c->high[k] - 1) / r->inner[k] - c->low[k] / r->inner[k] + 1;
        }
        if (c->bytes > r->crop_bytes_max) r->crop_bytes_max = c->bytes;
        if (pieces > r->pieces_max) r->pieces_max = pieces;
    }
    fclose(in);
}

/* --- one crop --- */

static int by_place(const void *a, const void *b) {
    const Piece *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/*
 * Plans the pieces of a crop, in the order of the files; only those of one file if `only` is not
 * negative.
 */
static long plan(const Reader *r, const Crop *c, long only, Piece *pieces) {
    long count = 0, first[RANK_MAX], at[RANK_MAX];
    for (int k = 0; k < r->rank; k++) at[k] = first[k] = c->low[k] / r->inner[k];
    for (;;) {
        long file = 0, i = 0;
        for (int k = 0; k < r->rank; k++) {
            file = file * r->grid[k] + at[k] / r->per_chunk[k];
            i = i * r->per_chunk[k] + at[k] % r->per_chunk[k];
        }
        if (only < 0 || only == file) {
            Piece *p = &pieces[count++];
            p->file = file;
            p->offset = r->files[file].index[2 * i];
            p->length = r->files[file].index[2 * i + 1];
            memcpy(p->at, at, sizeof at);
        }
        int k = r->rank - 1;
        for (; k >= 0; k--) {
            if (++at[k] * r->inner[k] < c->high[k]) break;
            at[k] = first[k];
        }
        if (k < 0) break;
    }
    qsort(pieces, count, sizeof *pieces, by_place);
    return count;
}

static void decode(const Reader *r, void *context, const char *from, size_t length, char *to) {
    size_t bytes = 0;
    switch (r->codec) {
        case ZSTD: bytes = zstd_decode(context, to, r->inner_bytes, from, length); break;
        case GZIP: gzip_decode(context, from, length, to, r->inner_bytes, &bytes); break;
        default: bytes = blosc_decode(from, to, r->inner_bytes, 1);
    }
    if (bytes != (size_t) r->inner_bytes) fail("a chunk does not decode");
}

/* The place of a piece in a crop, as rows that are contiguous on both sides. */
typedef struct { long count[RANK_MAX], from_stride[RANK_MAX], to_stride[RANK_MAX], from, to, row; int last; } Rows;

static Rows rows_of(const Reader *r, const Piece *p, const Crop *c) {
    Rows w = {.last = r->rank - 1};
    for (int k = w.last; k >= 0; k--) {
        w.from_stride[k] = k == w.last ? r->item : w.from_stride[k + 1] * r->inner[k + 1];
        w.to_stride[k] = k == w.last ? r->item : w.to_stride[k + 1] * (c->high[k + 1] - c->low[k + 1]);
    }
    for (int k = 0; k < r->rank; k++) {
        long begin = p->at[k] * r->inner[k], end = begin + r->inner[k];
        long low = begin > c->low[k] ? begin : c->low[k], high = end < c->high[k] ? end : c->high[k];
        w.count[k] = high - low;
        w.from += (low - begin) * w.from_stride[k];
        w.to += (low - c->low[k]) * w.to_stride[k];
    }
    w.row = w.count[w.last] * r->item;
    while (w.last > 0 && w.count[w.last] == r->inner[w.last] && w.count[w.last] == c->high[w.last] - c->low[w.last]) {
        w.last--;
        w.row = w.count[w.last] * w.from_stride[w.last];
    }
    return w;
}

static void copy_rows(const char *from, char *to, Rows *w) {
    long at[RANK_MAX] = {0}, f = w->from, t = w->to;
    for (;;) {
        memcpy(to + t, from + f, w->row);
        int k = w->last - 1;
        for (; k >= 0; k--) {
            f += w->from_stride[k], t += w->to_stride[k];
            if (++at[k] < w->count[k]) break;
            f -= w->count[k] * w->from_stride[k], t -= w->count[k] * w->to_stride[k], at[k] = 0;
        }
        if (k < 0) return;
    }
}

static void place(const Worker *w, const char *encoded, const Piece *p, const Crop *c) {
    const Reader *r = w->reader;
    Rows rows = rows_of(r, p, c);
    if (r->codec == RAW) {
        copy_rows(encoded, w->target, &rows);
    } else if (rows.row == r->inner_bytes) { /* The whole piece is one row. */
        decode(r, w->context, encoded, p->length, w->target + rows.to);
    } else {
        decode(r, w->context, encoded, p->length, w->decoded);
        copy_rows(w->decoded, w->target, &rows);
    }
}

/* Reads the range; with O_DIRECT the pages around it. The last one may end with the file. */
static const char *fetch(const Worker *w, const File *f, uint64_t begin, uint64_t end) {
    uint64_t from = w->reader->direct ? begin & -(uint64_t) PAGE : begin;
    uint64_t to = w->reader->direct ? (end + PAGE - 1) & -(uint64_t) PAGE : end;
    for (uint64_t at = from; at < end;) {
        ssize_t n = pread(f->fd, w->buffer + (at - from), to - at, at);
        if (n <= 0) fail("pread: %s", n ? strerror(errno) : "end of file");
        at += n;
    }
    return w->buffer + (begin - from);
}

static int connect_to(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (s < 0 || connect(s, (struct sockaddr *) &address, sizeof address)) fail("port %d: %s", port, strerror(errno));
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return s;
}

/* The same from the web server: the body is received where it belongs, but for what comes with the head. */
static const char *fetch_url(const Worker *w, const File *f, uint64_t begin, uint64_t end) {
    char head[4096], *body = 0;
    int n = snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nHost: limit\r\nRange: bytes=%lu-%lu\r\n\r\n", f->url, begin, end - 1);
    if (send(w->socket, head, n, MSG_NOSIGNAL) != n) fail("send: %s", strerror(errno));
    size_t have = 0, wanted = end - begin;
    while (!body) {
        ssize_t got = recv(w->socket, head + have, sizeof head - 1 - have, 0);
        if (got <= 0) fail("recv: %s", got ? strerror(errno) : "closed");
        head[have += got] = 0;
        body = strstr(head, "\r\n\r\n");
    }
    if (strncmp(head, "HTTP/1.1 206", 12)) fail("%.60s", head);
    have -= body + 4 - head;
    memcpy(w->buffer, body + 4, have);
    for (ssize_t got; have < wanted; have += got) {
        got = recv(w->socket, w->buffer + have, wanted - have, MSG_WAITALL);
        if (got <= 0) fail("recv: %s", got ? strerror(errno) : "closed");
    }
    return w->buffer;
}

static void read_crop(const Worker *w, const Crop *c, long only) {
    const Reader *r = w->reader;
    Piece *p = w->pieces;
    long count = plan(r, c, only, p);
    for (long i = 0, j; i < count; i = j) {
        uint64_t begin = p[i].offset, end = begin + p[i].length;
        const File *f = &r->files[p[i].file];
        for (j = i + 1; j < count && p[j].file == p[i].file && p[j].offset <= end + r->gap
                        && p[j].offset + p[j].length - begin <= FUSED_MAX; j++) end = p[j].offset + p[j].length;
        if (r->mode == DECODE) {
            for (long q = i; q < j; q++) decode(r, w->context, f->map + p[q].offset, p[q].length, w->decoded);
            continue;
        }
        const char *bytes = r->port ? fetch_url(w, f, begin, end) : fetch(w, f, begin, end);
        for (long q = i; r->mode == CROP && q < j; q++) place(w, bytes + (p[q].offset - begin), p + q, c);
    }
}

/*
 * Writes only the destination's bytes: from a small buffer, or copied from the files one after
 * another.
 */
static void write_crop(const Worker *w, long crop, long part, long parts) {
    enum { STEP = 1 << 18 };
    const Reader *r = w->reader;
    long bytes = r->crops[crop].bytes, file_bytes = r->inner_bytes * r->inner_count;
    long begin = bytes / parts * part, end = part + 1 == parts ? bytes : bytes / parts * (part + 1);
    for (long at = begin, n; at < end; at += n) {
        long place = crop * bytes + at, from = place % file_bytes;
        const File *f = &r->files[place / file_bytes % r->file_count];
        n = end - at < STEP ? end - at : STEP;
        if (from + n > f->size) from = 0;
        memcpy(w->target + at, r->mode == COPY ? f->map + from : w->buffer, n);
    }
}

/* --- all crops --- */

static void *work(void *argument) {
    Worker *w = argument;
    Reader *r = w->reader;
    long parts = r->shared_target ? r->file_count : 1;
    for (long unit; (unit = r->next++) < r->limit * parts;) {
        const Crop *c = &r->crops[unit / parts];
        if (r->mode == WRITE || r->mode == COPY) write_crop(w, unit / parts, unit % parts, parts);
        else read_crop(w, c, parts > 1 ? unit % parts : -1);
    }
    return 0;
}

static size_t buffer_bytes(const Reader *r) { return FUSED_MAX + 2 * r->inner_bytes + 4 * PAGE; }

static Worker new_worker(Reader *r) {
    Worker w = {.reader = r, .pieces = malloc((r->pieces_max + 1) * sizeof(Piece))};
    w.buffer = memory(buffer_bytes(r) - PAGE);
    w.socket = -1;
    w.decoded = memory(r->inner_bytes);
    w.target = r->shared_target ? r->shared_target : memory(r->crop_bytes_max);
    w.context = r->codec == ZSTD ? zstd_new() : r->codec == GZIP ? gzip_new() : 0;
    return w;
}

static Worker *workers(Reader *r) {
    if (r->workers) return r->workers;
    if (r->crop_count < 2 * r->threads) r->shared_target = memory(r->crop_bytes_max);
    r->workers = malloc(r->threads * sizeof *r->workers);
    for (int t = 0; t < r->threads; t++) r->workers[t] = new_worker(r);
    return r->workers;
}

/* Servers close idle connections after a minute, so each command has its own. */
static Worker *connected_workers(Reader *r) {
    Worker *w = workers(r);
    for (int t = 0; r->port && t < r->threads; t++) {
        if (w[t].socket >= 0) close(w[t].socket);
        w[t].socket = connect_to(r->port);
    }
    return w;
}

static void run_once(Reader *r) {
    Worker *w = workers(r);
    pthread_t threads[THREADS_MAX];
    r->next = 0;
    for (int t = 1; t < r->threads; t++) pthread_create(&threads[t], 0, work, &w[t]);
    work(&w[0]);
    for (int t = 1; t < r->threads; t++) pthread_join(threads[t], 0);
}

static void run(Reader *r, double seconds, long crops) {
    double bytes = 0, begin, cpu, wall;
    r->limit = crops > 0 && crops < r->crop_count ? crops : r->crop_count;
    connected_workers(r);
    begin = now(), cpu = cpu_seconds();
    do {
        run_once(r);
        for (long i = 0; i < r->limit; i++) bytes += r->crops[i].bytes;
        wall = now() - begin;
    } while (wall < seconds);
    printf("ok\t%.0f\t%.9f\t%.6f\n", bytes, wall, cpu_seconds() - cpu);
}

static void write_crops(Reader *r, long crops, const char *path) {
    Worker *w = connected_workers(r);
    FILE *file = fopen(path, "wb");
    if (!file) fail("cannot write %s", path);
    for (long i = 0; i < r->crop_count && (crops == 0 || i < crops); i++) {
        read_crop(w, &r->crops[i], -1);
        if (fwrite(w->target, 1, r->crops[i].bytes, file) < (size_t) r->crops[i].bytes) fail("cannot write %s", path);
    }
    if (fclose(file)) fail("cannot write %s", path);
    puts("ok");
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *) a, y = *(const double *) b;
    return x < y ? -1 : x > y;
}

static void latency(Reader *r, long count) {
    Worker *w = connected_workers(r);
    double *seconds = malloc(count * sizeof *seconds);
    for (long i = 0; i < count; i++) {
        double begin = now();
        read_crop(w, &r->crops[i % r->crop_count], -1);
        seconds[i] = now() - begin;
    }
    qsort(seconds, count, sizeof *seconds, by_value);
    printf("ok\t%.3f\t%.3f\n", seconds[count / 2] * 1e6, seconds[count * 99 / 100] * 1e6);
    free(seconds);
}

/* Evicts clean pages from the page cache; works without root. */
static void evict(Reader *r) {
    for (long s = 0; s < r->file_count; s++) fdatasync(r->files[s].fd), posix_fadvise(r->files[s].fd, 0, 0, POSIX_FADV_DONTNEED);
    puts("ok");
}

static void close_reader(Reader *r) {
    for (int t = 0; r->workers && t < r->threads; t++) {
        Worker *w = &r->workers[t];
        free(w->pieces);
        if (w->socket >= 0) close(w->socket);
        munmap(w->buffer, buffer_bytes(r));
        munmap(w->decoded, r->inner_bytes + PAGE);
        if (!r->shared_target) munmap(w->target, r->crop_bytes_max + PAGE);
    }
    if (r->shared_target) munmap(r->shared_target, r->crop_bytes_max + PAGE);
    for (long s = 0; s < r->file_count; s++) {
        if (r->files[s].map) munmap(r->files[s].map, r->files[s].size);
        close(r->files[s].fd);
        free(r->files[s].index), free(r->files[s].url);
    }
    r->id[0] = 0; /* Its place in the list and small parts stay allocated: a worker opens some dozens. */
    free(r->files), free(r->crops), free(r->workers);
    puts("ok");
}

/* --- the protocol --- */

/* The port of a server on the loopback interface, of which the environment has the URL. */
static int port_of(const char *name) {
    const char *url = getenv(name), *colon = url ? strrchr(url, ':') : 0;
    if (!colon) fail("%s is no URL with a port", name);
    return atoi(colon + 1);
}

/* A missing library fails only the reader that needs it. */
static int load(Codec codec) {
    if (codec == RAW) return 1;
    static const char *const LIBRARIES[] = {0, "libzstd.so.1", "libblosc.so.1", "libdeflate.so.0"};
    void *library = dlopen(LIBRARIES[codec], RTLD_NOW);
    if (!library) return printf("error\t%s\n", dlerror()), 0;
    if (codec == ZSTD) {
        zstd_decode = dlsym(library, "ZSTD_decompressDCtx");
        zstd_new = dlsym(library, "ZSTD_createDCtx");
    } else if (codec == GZIP) {
        gzip_decode = dlsym(library, "libdeflate_gzip_decompress");
        gzip_new = dlsym(library, "libdeflate_alloc_decompressor");
    } else {
        blosc_decode = dlsym(library, "blosc_decompress_ctx");
    }
    return 1;
}

static int position(const char *word, const char *const *words) {
    for (int i = 0; words[i]; i++) if (!strcmp(word, words[i])) return i;
    fail("unknown: %s", word);
    return -1;
}

static void set(Reader *r, char *option) {
    static const char *const MODES[] = {"crop", "decode", "read", "write", "copy", 0};
    static const char *const CODECS[] = {"raw", "zstd", "blosc", "gzip", 0};
    static const char *const NAMES[] = {"shape", "chunk", "inner", "item", "codec", "threads", "mode", "gap", "direct", "url", 0};
    char *value = strchr(option, '=');
    if (!value) fail("not name=value: %s", option);
    *value++ = 0;
    switch (position(option, NAMES)) {
        case 0: r->rank = numbers(value, r->shape); break;
        case 1: numbers(value, r->chunk); break;
        case 2: numbers(value, r->inner); break;
        case 3: r->item = atol(value); break;
        case 4: r->codec = position(value, CODECS); break;
        case 5: r->threads = atoi(value); break;
        case 6: r->mode = position(value, MODES); break;
        case 7: r->gap = atol(value); break;
        case 8: r->direct = atoi(value); break;
        case 9: r->port = port_of(value); break;
    }
}

static void open_reader(char **words, int count) {
    Reader *r = calloc(1, sizeof *r);
    snprintf(r->id, sizeof r->id, "%s", words[1]);
    r->gap = PAGE;
    r->threads = (int) sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 4; i < count; i++) set(r, words[i]);
    if (r->threads < 1 || r->threads > THREADS_MAX) fail("%d threads", r->threads);
    if (!load(r->codec)) { free(r); return; }
    int sharded = 0;
    long slab = 1;
    for (int k = 0; k < r->rank; k++) sharded |= r->inner[k] != r->chunk[k], slab *= k ? r->inner[k] : r->item;
    if (!sharded && r->codec == RAW) {
        r->slabs = 1;
        r->inner[0] = SLAB_BYTES / slab < 1 ? 1 : SLAB_BYTES / slab < r->chunk[0] ? SLAB_BYTES / slab : r->chunk[0];
    }
    r->inner_count = r->file_count = 1, r->inner_bytes = r->item;
    for (int k = 0; k < r->rank; k++) {
        r->grid[k] = (r->shape[k] + r->chunk[k] - 1) / r->chunk[k];
        r->per_chunk[k] = r->chunk[k] / r->inner[k];
        r->file_count *= r->grid[k], r->inner_count *= r->per_chunk[k], r->inner_bytes *= r->inner[k];
    }
    open_files(r, words[2]);
    read_crops(r, words[3]);
    for (int i = 0; i < READERS_MAX; i++) if (!readers[i]) { readers[i] = r; puts("ok"); return; }
    fail("too many readers");
}

static Reader *reader(const char *id) {
    for (int i = 0; i < READERS_MAX && readers[i]; i++) if (!strcmp(readers[i]->id, id)) return readers[i];
    fail("no reader %s", id);
    return 0;
}

int main(void) {
    static const char *const COMMANDS[] = {"open", "write", "run", "latency", "evict", "close", "version", 0};
    char line[16384];
    while (fgets(line, sizeof line, stdin)) {
        char *words[64], *rest = line;
        int count = 0;
        line[strcspn(line, "\n")] = 0;
        for (char *word; count < 64 && (word = strsep(&rest, "\t"));) words[count++] = word;
        switch (position(words[0], COMMANDS)) {
            case 0: open_reader(words, count); break;
            case 1: write_crops(reader(words[1]), atol(words[2]), words[3]); break;
            case 2: run(reader(words[1]), atof(words[2]), atol(words[3])); break;
            case 3: latency(reader(words[1]), atol(words[2])); break;
            case 4: evict(reader(words[1])); break;
            case 5: close_reader(reader(words[1])); break;
            case 6: puts("ok\tgcc " __VERSION__); break;
        }
        fflush(stdout);
    }
}
