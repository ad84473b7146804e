/*
 * Reads one file at random, as fast as C can, for the comparison of bin/bench io.
 *
 *   random_reads FILE uring|pread direct|buffered READ_BYTES DEPTH THREADS SECONDS SEED FILE_BYTES
 *
 * Each thread has its own ring (single issuer, deferred task run), its own memory on huge pages,
 * registered, and the file registered. It keeps DEPTH reads in flight: it queues reads, submits them
 * and waits for one with one system call, and takes all completions. Offsets are multiples of READ_BYTES, from the
 * same generator as in RandomReads.java.
 *
 * Prints reads per second of all threads and CPU microseconds per read, after half a second of
 * warm-up. Build: gcc -O2 random_reads.c -luring -lpthread
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP_SECONDS 0.5
#define CHECK_EACH 16 /* reads between two checks of the clock, with pread */

struct options {
    const char *file;
    int uring;
    int direct;
    size_t read_bytes;
    unsigned depth;
    unsigned threads;
    double seconds;
    uint64_t seed;
    uint64_t file_bytes;
};

struct worker {
    const struct options *options;
    pthread_t thread;
    uint64_t random;
    uint64_t reads;
    double seconds;
    double cpu_seconds;
};

static void fail(const char *what, int error) {
    fprintf(stderr, "random_reads: %s: %s\n", what, strerror(error));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double cpu_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* xorshift64 */
static uint64_t next_offset(struct worker *worker) {
    const struct options *options = worker->options;
    uint64_t x = worker->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    worker->random = x;
    return (x >> 1) % (options->file_bytes / options->read_bytes) * options->read_bytes;
}

static char *allocate(size_t bytes) {
    size_t huge = 2 << 20;
    bytes = (bytes + 2 * huge - 1) / huge * huge;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fail("mmap", errno);
    }
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static int open_file(const struct options *options) {
    int fd = open(options->file, O_RDONLY | O_CLOEXEC | (options->direct ? O_DIRECT : 0));
    if (fd < 0) {
        fail(options->file, errno);
    }
    return fd;
}

/* Starts to measure after the warm-up; returns whether to stop. */
static int tick(struct worker *worker, double *begin, double *measured_from, double *cpu_from) {
    double time = now();
    if (*measured_from == 0) {
        if (time - *begin > WARM_UP_SECONDS) {
            *measured_from = time;
            *cpu_from = cpu_now();
            worker->reads = 0;
        }
        return 0;
    }
    if (time - *measured_from < worker->options->seconds) {
        return 0;
    }
    worker->seconds = time - *measured_from;
    worker->cpu_seconds = cpu_now() - *cpu_from;
    return 1;
}

static void read_by_pread(struct worker *worker) {
    const struct options *options = worker->options;
    int fd = open_file(options);
    char *memory = allocate(options->read_bytes);
    double begin = now(), measured_from = 0, cpu_from = 0;
    do {
        for (int i = 0; i < CHECK_EACH; i++) {
            ssize_t read = pread(fd, memory, options->read_bytes, next_offset(worker));
            if (read != (ssize_t)options->read_bytes) {
                fail("pread", read < 0 ? errno : EIO);
            }
        }
        worker->reads += CHECK_EACH;
    } while (!tick(worker, &begin, &measured_from, &cpu_from));
    close(fd);
}

static void read_by_uring(struct worker *worker) {
    const struct options *options = worker->options;
    int fd = open_file(options);
    struct io_uring ring;
    struct io_uring_params params = {
            .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
    int result = io_uring_queue_init_params(options->depth, &ring, &params);
    if (result < 0) {
        fail("io_uring_queue_init", -result);
    }
    char *memory = allocate(options->depth * options->read_bytes);
    struct iovec vector = {memory, options->depth * options->read_bytes};
    result = io_uring_register_buffers(&ring, &vector, 1);
    if (result < 0) {
        fail("io_uring_register_buffers", -result);
    }
    result = io_uring_register_files(&ring, &fd, 1);
    if (result < 0) {
        fail("io_uring_register_files", -result);
    }
    unsigned *free_slots = malloc(options->depth * sizeof(unsigned));
    unsigned free_count = options->depth;
    for (unsigned i = 0; i < options->depth; i++) {
        free_slots[i] = i;
    }
    double begin = now(), measured_from = 0, cpu_from = 0;
    do {
        while (free_count > 0) {
            unsigned slot = free_slots[--free_count];
            struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
            io_uring_prep_read_fixed(sqe, 0, memory + slot * options->read_bytes,
                    options->read_bytes, next_offset(worker), 0);
            sqe->flags |= IOSQE_FIXED_FILE;
            sqe->user_data = slot;
        }
        result = io_uring_submit_and_wait(&ring, 1);
        if (result < 0 && result != -EINTR) {
            fail("io_uring_submit_and_wait", -result);
        }
        struct io_uring_cqe *cqe;
        unsigned head, count = 0;
        io_uring_for_each_cqe(&ring, head, cqe) {
            if (cqe->res != (int)options->read_bytes) {
                fail("a read", cqe->res < 0 ? -cqe->res : EIO);
            }
            free_slots[free_count++] = cqe->user_data;
            count++;
        }
        io_uring_cq_advance(&ring, count);
        worker->reads += count;
    } while (!tick(worker, &begin, &measured_from, &cpu_from));
    while (free_count < options->depth) { /* The kernel still writes to our memory. */
        struct io_uring_cqe *cqe;
        io_uring_submit_and_wait(&ring, 1);
        while (io_uring_peek_cqe(&ring, &cqe) == 0) {
            io_uring_cqe_seen(&ring, cqe);
            free_count++;
        }
    }
    io_uring_queue_exit(&ring);
    close(fd);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    if (worker->options->uring) {
        read_by_uring(worker);
    } else {
        read_by_pread(worker);
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 10) {
        fprintf(stderr, "usage: random_reads FILE uring|pread direct|buffered READ_BYTES DEPTH"
                        " THREADS SECONDS SEED FILE_BYTES\n");
        return 2;
    }
    struct options options = {argv[1], !strcmp(argv[2], "uring"), !strcmp(argv[3], "direct"),
            strtoull(argv[4], NULL, 10), atoi(argv[5]), atoi(argv[6]), atof(argv[7]),
            strtoull(argv[8], NULL, 10), strtoull(argv[9], NULL, 10)};
    struct worker *workers = calloc(options.threads, sizeof(struct worker));
    for (unsigned i = 0; i < options.threads; i++) {
        workers[i].options = &options;
        workers[i].random = (options.seed + i + 1) * 0x9E3779B97F4A7C15ull;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    double per_second = 0, cpu = 0, reads = 0;
    for (unsigned i = 0; i < options.threads; i++) {
        pthread_join(workers[i].thread, NULL);
        per_second += workers[i].reads / workers[i].seconds;
        cpu += workers[i].cpu_seconds;
        reads += workers[i].reads;
    }
    printf("%.0f reads/s, %.3f us CPU each\n", per_second, cpu * 1e6 / reads);
    return 0;
}
