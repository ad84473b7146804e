/*
 * Simulates a CUDA runtime without a device, for tests on machines that have none. bin/test-gpu
 * --simulated compiles it to libcudart.so.13.
 *
 * Streams are queues. Nothing runs before the caller waits or queries. Then the heads of all
 * streams that are not waiting for an event run, in an order derived from a seed
 * (SIMULATED_CUDA_SEED). A missing event, or host memory reused too early, therefore gives wrong
 * bytes for some seed, as it would on a device. Kernels are kernels.cu itself, compiled as C++, one
 * thread after the other.
 *
 * Faults, SIMULATED_CUDA_FAULT=<function>:<n>:<code>: the n-th call of a function (from 1) returns
 * code. A code from 700 to 719 except 701 is sticky: from then on every call for that device
 * returns it.
 *
 * With the code -1 the work that the call queues never ends. A call that would then wait for ever
 * aborts.
 *
 * A stream may capture a graph. Its work is dropped then, as no graph is ever launched. A call that CUDA
 * forbids meanwhile fails and makes the graph invalid: one that names a captured event, that waits for
 * the whole device, or that might be unsafe, unless the mode of the calling thread permits it. A stream
 * that waits for a captured event captures, too.
 *
 * There are two devices. A call fails if it uses an object of a device that is not the calling
 * thread's current one, or objects of both devices together.
 *
 * Device memory is host memory, filled with 0xA5 when it is allocated and again when it is freed.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __grid_constant__
#define __launch_bounds__(threads, blocks)
struct Dimensions {
    unsigned x, y, z;
};
static thread_local Dimensions blockIdx, threadIdx, blockDim, gridDim;
/* Source: CUDA C++ Programming Guide, __byte_perm: bytes of two words, selected by index. */
static uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selector) {
    uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
    uint32_t chosen = 0;
    for (int i = 0; i < 4; i++) {
        chosen |= static_cast<uint32_t>(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xff) << (8 * i);
    }
    return chosen;
}
/*
 * Source: CUDA Math API. The host rounds to nearest. It cannot fuse, because the compiler may not use
 * instructions that x86-64 does not always have.
 */
static float __fdiv_rn(float dividend, float divisor) { return dividend / divisor; }
static float __fadd_rn(float a, float b) { return a + b; }
static double __ddiv_rn(double dividend, double divisor) { return dividend / divisor; }
static double __dadd_rn(double a, double b) { return a + b; }
static double __dmul_rn(double a, double b) { return a * b; }
static float __double2float_rn(double value) { return static_cast<float>(value); }
static float __ll2float_rn(long long value) { return static_cast<float>(value); }
static float __ull2float_rn(unsigned long long value) { return static_cast<float>(value); }
static double __ll2double_rn(long long value) { return static_cast<double>(value); }
static double __ull2double_rn(unsigned long long value) { return static_cast<double>(value); }
#include "kernels.cu"

namespace {

using Work = std::function<void()>;

const int DEVICES = 2;
const int WRONG_DEVICE = 400; /* cudaErrorInvalidResourceHandle */
thread_local int current = 0;

const int GLOBAL = 0, RELAXED = 2; /* cudaStreamCaptureMode */
thread_local int capture_mode = GLOBAL;
const int UNSUPPORTED = 900, INVALIDATED = 901, UNJOINED = 904, ISOLATION = 905, IMPLICIT = 906, CAPTURED_EVENT = 907,
        WRONG_THREAD = 908; /* cudaErrorStreamCapture... */

struct Capture { /* kept, as events may be of it */
    int mode;
    std::thread::id thread = std::this_thread::get_id();
    int device = current;
    bool is_active = true;
    bool is_invalid = false;
};

struct Event {
    int device = current;
    Capture *capture = nullptr; /* that it was last recorded in */
    std::shared_ptr<bool> passed; /* whether the stream of the last recording has passed it; null if there is none */
};

struct Operation {
    Work work;
    std::shared_ptr<bool> awaited; /* a recording of an event */
};

struct Stream {
    int device = current;
    bool is_blocking = false; /* the default stream of the device waits for it, which is not simulated */
    Capture *capture = nullptr;
    Capture *origin = nullptr; /* the capture that began here */
    std::deque<Operation> queue;
};

struct Pool {
    int device = 0;
    size_t max = 0;
    size_t used = 0;
    size_t reserved = 0;
};

std::recursive_mutex lock;
std::set<Stream *> streams;
std::vector<Capture *> captures;
std::map<void *, std::pair<Pool *, size_t>> allocations;
Pool without_pool[DEVICES]; /* allocations of cudaMalloc */
std::map<char *, size_t> pinned;
int lost_with[DEVICES] = {}; /* sticky error of each device, or 0 */
bool is_hung[DEVICES] = {};
bool hangs_next = false; /* the work that is queued next */
std::shared_ptr<bool> never = std::make_shared<bool>(false);
Stream *legacy[DEVICES] = {}; /* the default stream of each device */

std::mt19937_64 &random_source() {
    static std::mt19937_64 source(getenv("SIMULATED_CUDA_SEED") ? atoll(getenv("SIMULATED_CUDA_SEED")) : 0);
    return source;
}

int fault(const char *function) {
    static std::map<std::string, long> calls;
    int &lost = lost_with[current];
    if (lost != 0) {
        return lost_with[current];
    }
    long call = ++calls[function];
    const char *plan = getenv("SIMULATED_CUDA_FAULT");
    char name[100];
    long at;
    int code;
    if (plan && sscanf(plan, "%99[^:]:%ld:%d", name, &at, &code) == 3 && call == at && strcmp(name, function) == 0) {
        if (code == -1) {
            hangs_next = true;
            return 0;
        }
        if (code >= 700 && code <= 719 && code != 701) {
            lost = code;
            for (Stream *stream : streams) {
                if (stream->device == current) {
                    stream->queue.clear(); /* a lost device does no more work */
                }
            }
        }
        return code;
    }
    return 0;
}

/* Returns the stream of a handle; 0 and 1 are the current device's default stream. */
Stream *of(void *handle) {
    if (reinterpret_cast<uintptr_t>(handle) > 1) {
        return static_cast<Stream *>(handle);
    }
    if (legacy[current] == nullptr) {
        legacy[current] = new Stream;
        streams.insert(legacy[current]);
    }
    return legacy[current];
}

#define ENTER(function) \
    std::lock_guard<std::recursive_mutex> guard(lock); \
    if (int code = fault(#function)) return code

/* Returns whether the calling thread may not make a call that might be unsafe. */
bool is_prohibited() {
    bool prohibited = false;
    for (Capture *capture : captures) {
        bool own = capture->thread == std::this_thread::get_id();
        bool forbids = capture_mode != RELAXED && (own ? capture->mode != RELAXED : capture_mode == GLOBAL && capture->mode == GLOBAL);
        if (capture->is_active && forbids) {
            capture->is_invalid = true;
            prohibited = true;
        }
    }
    return prohibited;
}

#define ENTER_UNSAFE(function) \
    ENTER(function); \
    if (is_prohibited()) return UNSUPPORTED

/* Returns the capture that a call to the default stream of the device would disturb. */
Capture *disturbed_by(void *stream) {
    for (Stream *other : streams) {
        if (reinterpret_cast<uintptr_t>(stream) <= 1 && other->is_blocking && other->device == current && other->capture) {
            return other->capture;
        }
    }
    return nullptr;
}

/* Returns why nothing can be queued in a stream. */
int refusal(void *stream) {
    if (Capture *disturbed = disturbed_by(stream)) {
        disturbed->is_invalid = true;
        return IMPLICIT;
    }
    Capture *capture = of(stream)->capture;
    return capture && capture->is_invalid ? INVALIDATED : 0;
}

bool is_passed(Event *event) { return !event->passed || *event->passed; }

bool is_ready(Stream *stream) {
    if (stream->queue.empty()) {
        return false;
    }
    Operation &head = stream->queue.front();
    return head.awaited == nullptr || *head.awaited;
}

/* Runs one operation of a random stream; returns false if none can run. */
bool step() {
    std::vector<Stream *> ready;
    for (Stream *stream : streams) {
        if (is_ready(stream)) {
            ready.push_back(stream);
        }
    }
    if (ready.empty()) {
        return false;
    }
    Stream *chosen = ready[random_source()() % ready.size()];
    Operation operation = chosen->queue.front();
    chosen->queue.pop_front();
    if (operation.work) {
        operation.work();
    }
    return true;
}

void enqueue(void *stream, Work work) {
    if (of(stream)->capture) {
        return;
    }
    if (hangs_next) {
        hangs_next = false;
        is_hung[current] = true;
        of(stream)->queue.push_back({nullptr, never});
    }
    of(stream)->queue.push_back({std::move(work), nullptr});
}

/* Returns why nobody can wait for an event. */
int refusal_of(Event *event) {
    if (event->capture == nullptr) {
        return 0;
    }
    event->capture->is_invalid = true;
    return CAPTURED_EVENT;
}

void waits_for_device() {
    if (is_hung[current]) {
        fprintf(stderr, "a call waits for a device that hangs\n");
        abort();
    }
}

bool is_of_current(void *stream) { return of(stream)->device == current; }

/*
 * Returns whether memory belongs to another device. Memory that no pool allocated is unknown, and
 * passes.
 */
bool is_of_other(const void *memory) {
    auto behind = allocations.upper_bound(const_cast<void *>(memory));
    if (behind == allocations.begin()) {
        return false;
    }
    auto &[begin, allocation] = *--behind;
    bool inside = memory < static_cast<char *>(begin) + allocation.second;
    return inside && allocation.first->device != current;
}

bool is_pinned(const void *host, size_t bytes) {
    const char *at = static_cast<const char *>(host);
    for (auto &region : pinned) {
        if (at >= region.first && at + bytes <= region.first + region.second) {
            return true;
        }
    }
    return false;
}

/* Reads /proc/self/maps. */
bool is_writable(const void *memory) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    bool writable = false;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        char access[5];
        uintptr_t at = reinterpret_cast<uintptr_t>(memory);
        if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) == 3 && at >= begin && at < end) {
            writable = access[1] == 'w';
        }
    }
    if (maps) {
        fclose(maps);
    }
    return writable;
}

struct Config { /* cudaLaunchConfig_t */
    unsigned grid[3], block[3];
    size_t shared;
    void *stream;
    void *attributes;
    unsigned attributeCount;
};

void run(Config config, const std::function<void()> &threadOfKernel) {
    gridDim = {config.grid[0], 1, 1};
    blockDim = {config.block[0], 1, 1};
    for (unsigned block = 0; block < config.grid[0]; block++) {
        for (unsigned thread = 0; thread < config.block[0]; thread++) {
            blockIdx = {block, 0, 0};
            threadIdx = {thread, 0, 0};
            threadOfKernel();
        }
    }
}

} // namespace

extern "C" {

/* Used by the simulated nvCOMP. */
void simulated_enqueue(void *stream, void (*work)(void *), void *argument) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    enqueue(stream, [=] { work(argument); });
}

int cudaRuntimeGetVersion(int *version) { *version = 13000; return 0; }
int cudaDriverGetVersion(int *version) { *version = 13000; return 0; }
const char *cudaGetErrorName(int) { return "cudaErrorSimulated"; }
const char *cudaGetErrorString(int) { return "simulated"; }
int cudaGetLastError() { return lost_with[current]; }
int cudaGetDeviceCount(int *count) { ENTER(cudaGetDeviceCount); *count = DEVICES; return 0; }
int cudaGetDevice(int *device) { *device = current; return 0; }
int cudaSetDevice(int device) {
    if (device < 0 || device >= DEVICES) {
        return 101;
    }
    current = device;
    ENTER(cudaSetDevice);
    return 0;
}
int cudaDeviceGetAttribute(int *value, int attribute, int) {
    ENTER(cudaDeviceGetAttribute);
    static const std::map<int, int> values = {{16, 4}, {38, 1 << 20}, {40, 2}, {75, 9}, {76, 0}, {113, 1}, {115, 1}};
    *value = values.count(attribute) ? values.at(attribute) : 0;
    return 0;
}
int cudaDeviceGetPCIBusId(char *id, int length, int) {
    snprintf(id, length, "simulated");
    return 0;
}
int cudaMemGetInfo(size_t *free, size_t *total) { ENTER_UNSAFE(cudaMemGetInfo); waits_for_device(); *free = *total = size_t(1) << 30; return 0; }

int cudaDeviceSynchronize() {
    ENTER_UNSAFE(cudaDeviceSynchronize); waits_for_device();
    for (Capture *capture : captures) {
        if (capture->is_active && capture->device == current) {
            capture->is_invalid = true;
            return UNSUPPORTED;
        }
    }
    while (step()) {}
    return 0;
}
/* Read-only memory must be registered with its flag (8), in whole pages. */
int cudaHostRegister(void *memory, size_t bytes, unsigned flags) {
    ENTER_UNSAFE(cudaHostRegister);
    char *begin = static_cast<char *>(memory);
    if ((flags & 8) == 0 && !is_writable(begin)) {
        return 1;
    }
    for (auto &region : pinned) {
        if (begin < region.first + region.second && region.first < begin + bytes) {
            return 712; /* cudaErrorHostMemoryAlreadyRegistered */
        }
    }
    pinned[begin] = bytes;
    return 0;
}
int cudaHostUnregister(void *memory) {
    ENTER_UNSAFE(cudaHostUnregister); waits_for_device();
    return pinned.erase(static_cast<char *>(memory)) ? 0 : 713;
}

int cudaMemPoolCreate(void **out, const void *properties) {
    ENTER_UNSAFE(cudaMemPoolCreate);
    const int *words = static_cast<const int *>(properties);
    if (words[0] != 1 || words[2] != 1 || words[3] != current) { /* pinned; device; ordinal */
        return 1;
    }
    Pool *pool = new Pool;
    pool->device = words[3];
    memcpy(&pool->max, static_cast<const char *>(properties) + 24, 8);
    *out = pool;
    return 0;
}
int cudaMemPoolSetAttribute(void *, int attribute, void *value) {
    ENTER(cudaMemPoolSetAttribute);
    return attribute == 4 && *static_cast<uint64_t *>(value) > 0 ? 0 : 1;
}
int cudaMemPoolGetAttribute(void *pool, int attribute, void *value) {
    ENTER(cudaMemPoolGetAttribute);
    Pool *p = static_cast<Pool *>(pool);
    *static_cast<uint64_t *>(value) = attribute == 5 ? p->reserved : p->used;
    return 0;
}
int cudaMemPoolDestroy(void *pool) {
    ENTER_UNSAFE(cudaMemPoolDestroy); waits_for_device();
    while (step()) {} /* queued work may use its memory */
    delete static_cast<Pool *>(pool);
    return 0;
}
int cudaMallocFromPoolAsync(void **out, size_t bytes, void *pool, void *stream) {
    ENTER(cudaMallocFromPoolAsync);
    Pool *p = static_cast<Pool *>(pool);
    if (!is_of_current(stream) || p->device != current) {
        return WRONG_DEVICE;
    }
    if (of(stream)->capture) {
        return UNSUPPORTED;
    }
    if (p->max != 0 && p->used + bytes > p->max) {
        return 2;
    }
    *out = aligned_alloc(512, (bytes + 511) / 512 * 512);
    memset(*out, 0xA5, bytes);
    p->used += bytes;
    p->reserved = std::max(p->reserved, p->used);
    allocations[*out] = {p, bytes};
    return 0;
}
int cudaFreeAsync(void *memory, void *stream) {
    ENTER(cudaFreeAsync);
    if (int code = refusal(stream)) return code;
    auto found = allocations.find(memory);
    if (found == allocations.end()) {
        return 1;
    }
    auto [pool, bytes] = found->second;
    if (!is_of_current(stream) || pool->device != current) {
        return WRONG_DEVICE;
    }
    allocations.erase(found);
    pool->used -= bytes;
    size_t size = bytes;
    enqueue(stream, [=] {
        memset(memory, 0xA5, size);
        free(memory);
    });
    return 0;
}

int cudaMemcpyAsync(void *target, const void *source, size_t bytes, int kind, void *stream) {
    ENTER(cudaMemcpyAsync);
    if (int code = refusal(stream)) return code;
    const void *host = kind == 1 ? source : target;
    if (!is_of_current(stream) || is_of_other(source) || is_of_other(target)) {
        return WRONG_DEVICE;
    }
    if (kind != 3 && !is_pinned(host, bytes)) {
        return 1;
    }
    enqueue(stream, [=] { memcpy(target, source, bytes); });
    return 0;
}
int cudaMemcpyBatchAsync(void *const *targets, const void *const *sources, const size_t *sizes, size_t count,
        void *attributes, size_t *indexes, size_t attributeCount, void *stream) {
    ENTER(cudaMemcpyBatchAsync);
    if (int code = refusal(stream)) return code;
    if (attributeCount != 1 || indexes[0] != 0 || *static_cast<int *>(attributes) != 1) {
        return 1;
    }
    if (!is_of_current(stream)) {
        return WRONG_DEVICE;
    }
    for (size_t i = 0; i < count; i++) {
        void *target = targets[i];
        const void *source = sources[i];
        size_t bytes = sizes[i];
        if (!is_pinned(source, bytes) || is_of_other(target)) {
            return 1;
        }
        enqueue(stream, [=] { memcpy(target, source, bytes); });
    }
    return 0;
}
int cudaMemsetAsync(void *target, int value, size_t bytes, void *stream) {
    ENTER(cudaMemsetAsync);
    if (int code = refusal(stream)) return code;
    if (!is_of_current(stream) || is_of_other(target)) {
        return WRONG_DEVICE;
    }
    enqueue(stream, [=] { memset(target, value, bytes); });
    return 0;
}

int cudaStreamCreateWithFlags(void **out, unsigned flags) {
    ENTER(cudaStreamCreateWithFlags);
    Stream *stream = new Stream;
    stream->is_blocking = flags == 0;
    streams.insert(stream);
    *out = stream;
    return flags <= 1 ? 0 : 1;
}
int cudaStreamDestroy(void *stream) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    Stream *s = static_cast<Stream *>(stream);
    while (!s->queue.empty() && step()) {}
    streams.erase(s);
    delete s;
    return 0;
}
int cudaStreamSynchronize(void *stream) {
    ENTER_UNSAFE(cudaStreamSynchronize); waits_for_device();
    if (Capture *capture = of(stream)->capture) {
        capture->is_invalid = true;
        return UNSUPPORTED;
    }
    while (!of(stream)->queue.empty()) {
        if (!step()) {
            abort(); /* streams wait for each other */
        }
    }
    return lost_with[current];
}
int cudaStreamWaitEvent(void *stream, void *event, unsigned) {
    ENTER(cudaStreamWaitEvent);
    if (!is_of_current(stream)) {
        return WRONG_DEVICE;
    }
    Event *e = static_cast<Event *>(event);
    Stream *waiting = of(stream);
    if (e->capture) {
        if (!e->capture->is_active || (waiting->capture && waiting->capture != e->capture)) {
            return ISOLATION;
        }
        waiting->capture = e->capture;
    } else if (waiting->capture) {
        waiting->capture->is_invalid = true;
        return ISOLATION;
    } else {
        waiting->queue.push_back({nullptr, e->passed});
    }
    return 0;
}
int cudaStreamIsCapturing(void *stream, int *status) {
    ENTER(cudaStreamIsCapturing);
    if (disturbed_by(stream)) {
        return IMPLICIT;
    }
    Capture *capture = of(stream)->capture;
    *status = capture == nullptr ? 0 : capture->is_invalid ? 2 : 1;
    return 0;
}
int cudaThreadExchangeStreamCaptureMode(int *mode) {
    std::swap(capture_mode, *mode);
    return 0;
}
int cudaStreamBeginCapture(void *stream, int mode) {
    ENTER(cudaStreamBeginCapture);
    if (reinterpret_cast<uintptr_t>(stream) <= 1 || of(stream)->capture) {
        return 1;
    }
    captures.push_back(new Capture{mode});
    of(stream)->capture = of(stream)->origin = captures.back();
    return 0;
}
int cudaStreamEndCapture(void *stream, void **graph) {
    ENTER(cudaStreamEndCapture);
    Capture *capture = of(stream)->origin;
    *graph = nullptr;
    if (capture == nullptr) {
        return 1;
    }
    if (capture->mode != RELAXED && capture->thread != std::this_thread::get_id()) {
        return WRONG_THREAD;
    }
    int joined = 0;
    for (Stream *each : streams) {
        if (each->capture == capture) {
            joined++;
            each->capture = each->origin = nullptr;
        }
    }
    capture->is_active = false;
    if (capture->is_invalid || joined > 1) { /* no stream here joins the first one again */
        return capture->is_invalid ? INVALIDATED : UNJOINED;
    }
    *graph = capture;
    return 0;
}
int cudaGraphDestroy(void *) { return 0; } /* kept, as events may be of it */

int cudaEventCreateWithFlags(void **event, unsigned) {
    ENTER(cudaEventCreateWithFlags);
    *event = new Event;
    return 0;
}
int cudaEventDestroy(void *) { return 0; } /* kept, as queued work may use it */
int cudaEventRecord(void *event, void *stream) {
    ENTER(cudaEventRecord);
    Event *e = static_cast<Event *>(event);
    if (!is_of_current(stream) || e->device != current) {
        return WRONG_DEVICE;
    }
    if (int code = refusal(stream)) {
        return code;
    }
    e->capture = of(stream)->capture;
    if (e->capture) {
        return 0;
    }
    auto passed = e->passed = std::make_shared<bool>(false);
    enqueue(stream, [=] { *passed = true; });
    return 0;
}
int cudaEventQuery(void *event) {
    ENTER_UNSAFE(cudaEventQuery);
    Event *e = static_cast<Event *>(event);
    if (int code = refusal_of(e)) {
        return code;
    }
    if (!is_passed(e)) {
        step();
    }
    return is_passed(e) ? lost_with[current] : 600;
}
int cudaEventSynchronize(void *event) {
    ENTER_UNSAFE(cudaEventSynchronize); waits_for_device();
    Event *e = static_cast<Event *>(event);
    if (int code = refusal_of(e)) {
        return code;
    }
    while (!is_passed(e)) {
        if (!step()) {
            abort();
        }
    }
    return lost_with[current];
}
int cudaEventElapsedTime(float *millis, void *begin, void *end) {
    ENTER(cudaEventElapsedTime);
    for (void *event : {begin, end}) {
        Event *e = static_cast<Event *>(event);
        if (!e->passed || !*e->passed) {
            return e->passed ? 600 : 400; /* cudaErrorInvalidResourceHandle, cudaErrorNotReady */
        }
    }
    *millis = 1;
    return 0;
}

int cudaLibraryLoadData(void **library, const void *code, void *, void **, unsigned, void *, void **, unsigned) {
    ENTER(cudaLibraryLoadData);
    static int token;
    *library = &token;
    return *static_cast<const uint32_t *>(code) == 0xBA55ED50u ? 0 : 200; /* a fatbin's magic number */
}
int cudaLibraryGetKernel(void **kernel, void *, const char *name) {
    ENTER(cudaLibraryGetKernel);
    static const std::map<std::string, void *> kernels = {
            {"zarr_place", reinterpret_cast<void *>(zarr_place)},
            {"zarr_convert", reinterpret_cast<void *>(zarr_convert)},
            {"zarr_transform", reinterpret_cast<void *>(zarr_transform)},
            {"zarr_transform_means", reinterpret_cast<void *>(zarr_transform_means)},
    };
    auto found = kernels.find(name);
    *kernel = found == kernels.end() ? nullptr : found->second;
    return *kernel ? 0 : 500;
}
int cudaLibraryUnload(void *) { return 0; }
int cudaLaunchKernelExC(const void *config, const void *kernel, void **arguments) {
    ENTER(cudaLaunchKernelExC);
    Config c = *static_cast<const Config *>(config);
    if (c.grid[0] == 0 || c.grid[1] != 1 || c.block[0] == 0 || c.block[0] > 1024 || c.attributeCount != 0) {
        return 9;
    }
    if (!is_of_current(c.stream)) {
        return WRONG_DEVICE;
    }
    if (int code = refusal(c.stream)) {
        return code;
    }
    if (kernel == reinterpret_cast<void *>(zarr_place) || kernel == reinterpret_cast<void *>(zarr_convert)) {
        auto place = reinterpret_cast<decltype(&zarr_place)>(const_cast<void *>(kernel));
        const Piece *pieces = *static_cast<const Piece **>(arguments[0]);
        uint64_t count = *static_cast<uint64_t *>(arguments[1]);
        uint64_t tiles = *static_cast<uint64_t *>(arguments[2]);
        enqueue(c.stream, [=] { run(c, [=] { place(pieces, count, tiles); }); });
    } else {
        auto compute = reinterpret_cast<decltype(&zarr_transform)>(const_cast<void *>(kernel));
        Transform transform = *static_cast<const Transform *>(arguments[0]);
        const uint8_t *sources = *static_cast<const uint8_t **>(arguments[1]);
        uint8_t *target = *static_cast<uint8_t **>(arguments[2]);
        uint64_t units = *static_cast<uint64_t *>(arguments[3]);
        enqueue(c.stream, [=] { run(c, [=] { compute(transform, sources, target, units); }); });
    }
    return 0;
}

/* Bound, but not used by the code under test. */
int cudaMalloc(void **out, size_t bytes) {
    ENTER_UNSAFE(cudaMalloc);
    *out = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    memset(*out, 0xA5, bytes);
    without_pool[current].device = current;
    allocations[*out] = {&without_pool[current], bytes};
    return 0;
}
int cudaFree(void *memory) {
    ENTER_UNSAFE(cudaFree); waits_for_device();
    while (step()) {}
    auto found = allocations.find(memory);
    if (found == allocations.end() || is_of_other(memory)) {
        return 1;
    }
    memset(memory, 0xA5, found->second.second);
    free(memory);
    allocations.erase(found);
    return 0;
}

/*
 * For simulated_cufile.cpp: returns the bytes from an address to the end of its cudaMalloc, on the
 * current device.
 */
size_t simulated_bytes_behind(const void *address) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    for (auto &[memory, allocation] : allocations) {
        size_t offset = static_cast<const char *>(address) - static_cast<char *>(memory);
        if (allocation.first == &without_pool[current] && offset < allocation.second) {
            return allocation.second - offset;
        }
    }
    return 0;
}
int cudaPointerGetAttributes(void *attributes, const void *pointer) {
    ENTER(cudaPointerGetAttributes);
    int *words = static_cast<int *>(attributes); /* 0 unknown, 1 host, 2 device; ordinal */
    words[0] = is_pinned(pointer, 1) ? 1 : 0;
    words[1] = -2;
    for (auto &allocation : allocations) {
        const char *begin = static_cast<const char *>(allocation.first);
        if (pointer >= begin && pointer < begin + allocation.second.second) {
            words[0] = 2;
            words[1] = allocation.second.first->device;
        }
    }
    return 0;
}
}
