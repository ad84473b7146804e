/*
 * Simulates cuFile without a device, together with simulated_cudart.cpp. Reads go to memory of its
 * cudaMalloc, on the calling thread's current device, from files that were opened with O_DIRECT.
 * Every second read of more than a page is short.
 *
 * SIMULATED_CUFILE_FAULT=<function>:<n>:<code>: the n-th call of a function returns the code.
 */
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>

extern "C" size_t simulated_bytes_behind(const void *address);

namespace {

struct Error {
    int err, cu_err;
};

struct Description {
    int type;
    union {
        int fd;
        void *handle;
    } handle;
    const void *operations;
};

const size_t PAGE = 4096;

std::mutex lock;
bool is_open = false;
std::set<void *> files; /* pointers whose value is the descriptor */
std::map<const void *, size_t> buffers;
long reads = 0;

int fault(const char *function) {
    static std::map<std::string, long> calls;
    std::lock_guard<std::mutex> guard(lock);
    long call = ++calls[function];
    const char *plan = getenv("SIMULATED_CUFILE_FAULT");
    char name[100];
    long at;
    int code;
    bool planned = plan && sscanf(plan, "%99[^:]:%ld:%d", name, &at, &code) == 3;
    return planned && call == at && strcmp(name, function) == 0 ? code : 0;
}

#define ENTER(function) \
    if (int code = fault(#function)) { \
        return {code, 0}; \
    }

/* Reads whole pages of the file, as O_DIRECT requires. */
ssize_t read_pages(int fd, uint8_t *target, size_t bytes, off_t offset) {
    off_t begin = offset / PAGE * PAGE;
    size_t length = (offset + bytes - begin + PAGE - 1) / PAGE * PAGE;
    uint8_t *pages = static_cast<uint8_t *>(aligned_alloc(PAGE, length));
    ssize_t read = pread(fd, pages, length, begin);
    ssize_t wanted = read < 0 ? -1 : read - (offset - begin);
    wanted = wanted > static_cast<ssize_t>(bytes) ? static_cast<ssize_t>(bytes) : wanted;
    if (read >= 0 && wanted <= 0) {
        wanted = 0; /* the end of the file */
    }
    if (wanted > 0) {
        memcpy(target, pages + (offset - begin), wanted);
    }
    free(pages);
    return wanted;
}

} // namespace

extern "C" {

Error cuFileGetVersion(int *version) { *version = 1151; return {0, 0}; }
Error cuFileSetParameterBool(int, bool) { return {is_open ? 5026 : 0, 0}; }

Error cuFileDriverOpen() {
    ENTER(cuFileDriverOpen);
    is_open = true;
    return {0, 0};
}

Error cuFileHandleRegister(void **file, Description *description) {
    ENTER(cuFileHandleRegister);
    int flags = fcntl(description->handle.fd, F_GETFL);
    if (!is_open || description->type != 1 || description->operations || flags < 0) {
        return {5022, 0};
    }
    if (!(flags & O_DIRECT)) {
        return {5019, 0};
    }
    std::lock_guard<std::mutex> guard(lock);
    *file = new int(description->handle.fd);
    files.insert(*file);
    return {0, 0};
}

void cuFileHandleDeregister(void *file) {
    std::lock_guard<std::mutex> guard(lock);
    if (files.erase(file) != 1) {
        abort();
    }
    delete static_cast<int *>(file);
}

Error cuFileBufRegister(const void *memory, size_t bytes, int flags) {
    ENTER(cuFileBufRegister);
    if (!is_open || flags != 0 || simulated_bytes_behind(memory) < bytes) {
        return {5012, 0};
    }
    std::lock_guard<std::mutex> guard(lock);
    return {buffers.emplace(memory, bytes).second ? 0 : 5023, 0};
}

Error cuFileBufDeregister(const void *memory) {
    std::lock_guard<std::mutex> guard(lock);
    return {buffers.erase(memory) == 1 ? 0 : 5022, 0};
}

ssize_t cuFileRead(void *file, void *memory, size_t bytes, off_t offset, off_t memoryOffset) {
    if (int code = fault("cuFileRead")) {
        return code;
    }
    int fd;
    {
        std::lock_guard<std::mutex> guard(lock);
        if (files.count(file) == 0) {
            return -5027;
        }
        fd = *static_cast<int *>(file);
        if (bytes > PAGE && ++reads % 2 == 0) {
            bytes /= 2;
        }
    }
    if (simulated_bytes_behind(memory) < memoryOffset + bytes) {
        return -5014;
    }
    return read_pages(fd, static_cast<uint8_t *>(memory) + memoryOffset, bytes, offset);
}
}
