/*
 * liburing 2.3 and later: the four exported entry points, which return -errno. The inline helpers
 * (io_uring_get_sqe, io_uring_peek_cqe, ...) are not in the shared library; io.zarrengine.uring
 * does their work in Java over the mapped rings.
 *
 * Sources: io_uring_setup(2), io_uring_enter(2), io_uring_register(2).
 */
#include <signal.h>

#include "../convention.h"

struct ZE_NAME(io_sqring_offsets) {
    uint32_t head;
    uint32_t tail;
    uint32_t ring_mask;
    uint32_t ring_entries;
    uint32_t flags;
    uint32_t dropped;
    uint32_t array;
    uint32_t resv1;
    uint64_t resv2;
};

struct ZE_NAME(io_cqring_offsets) {
    uint32_t head;
    uint32_t tail;
    uint32_t ring_mask;
    uint32_t ring_entries;
    uint32_t overflow;
    uint32_t cqes;
    uint32_t flags;
    uint32_t resv1;
    uint64_t resv2;
};

struct ZE_NAME(io_uring_params) {
    uint32_t sq_entries;
    uint32_t cq_entries;
    uint32_t flags;
    uint32_t sq_thread_cpu;
    uint32_t sq_thread_idle;
    uint32_t features;
    uint32_t wq_fd;
    uint32_t resv[3];
    struct ZE_NAME(io_sqring_offsets) sq_off;
    struct ZE_NAME(io_cqring_offsets) cq_off;
};

/* The vendor's struct has unions here; these are the members that a read, a NOP or a cancel uses. */
struct ZE_NAME(io_uring_sqe) {
    uint8_t opcode;
    uint8_t flags;
    uint16_t ioprio;
    int32_t fd;
    uint64_t off;
    uint64_t addr;
    uint32_t len;
    uint32_t rw_flags;
    uint64_t user_data;
    uint16_t buf_index;
    uint16_t personality;
    int32_t splice_fd_in;
    uint64_t addr3;
    uint64_t __pad2[1];
};

struct ZE_NAME(io_uring_cqe) {
    uint64_t user_data;
    int32_t res;
    uint32_t flags;
};

struct ZE_NAME(io_uring_files_update) {
    uint32_t offset;
    uint32_t resv;
    uint64_t fds;
};

struct ZE_NAME(io_uring_rsrc_update2) {
    uint32_t offset;
    uint32_t resv;
    uint64_t data;
    uint64_t tags;
    uint32_t nr;
    uint32_t resv2;
};

struct ZE_NAME(io_uring_probe_op) {
    uint8_t op;
    uint8_t resv;
    uint16_t flags;
    uint32_t resv2;
};

ZE_CONSTANT(IORING_OP_NOP, 0);
ZE_CONSTANT(IORING_OP_READ_FIXED, 4);
ZE_CONSTANT(IORING_OP_ASYNC_CANCEL, 14);
ZE_CONSTANT(IORING_OP_READ, 22);

ZE_CONSTANT(IOSQE_FIXED_FILE, 1 << 0);

ZE_CONSTANT(IORING_SETUP_CQSIZE, 1 << 3);
ZE_CONSTANT(IORING_SETUP_CLAMP, 1 << 4);
ZE_CONSTANT(IORING_SETUP_SUBMIT_ALL, 1 << 7);
ZE_CONSTANT(IORING_SETUP_COOP_TASKRUN, 1 << 8);
ZE_CONSTANT(IORING_SETUP_SINGLE_ISSUER, 1 << 12);
ZE_CONSTANT(IORING_SETUP_DEFER_TASKRUN, 1 << 13);
#if !defined(ZE_CHECK) || defined(IORING_SETUP_NO_SQARRAY) /* Linux 6.6, liburing 2.5 */
ZE_CONSTANT(IORING_SETUP_NO_SQARRAY, 1 << 16);
#endif

ZE_CONSTANT(IORING_FEAT_SINGLE_MMAP, 1 << 0);
ZE_CONSTANT(IORING_FEAT_NODROP, 1 << 1);
ZE_CONSTANT(IORING_FEAT_EXT_ARG, 1 << 8);

ZE_CONSTANT(IORING_ENTER_GETEVENTS, 1 << 0);

ZE_CONSTANT(IORING_SQ_CQ_OVERFLOW, 1 << 1);

ZE_CONSTANT(IORING_OFF_SQ_RING, 0);
ZE_CONSTANT(IORING_OFF_SQES, 0x10000000);

ZE_CONSTANT(IORING_REGISTER_BUFFERS, 0);
ZE_CONSTANT(IORING_UNREGISTER_BUFFERS, 1);
ZE_CONSTANT(IORING_REGISTER_FILES, 2);
ZE_CONSTANT(IORING_UNREGISTER_FILES, 3);
ZE_CONSTANT(IORING_REGISTER_FILES_UPDATE, 6);
ZE_CONSTANT(IORING_REGISTER_PROBE, 8);
ZE_CONSTANT(IORING_REGISTER_BUFFERS_UPDATE, 16);

ZE_CONSTANT(IO_URING_OP_SUPPORTED, 1 << 0);
ZE_CONSTANT(IORING_ASYNC_CANCEL_ANY, 1 << 2);

int io_uring_setup(unsigned int entries, struct io_uring_params *p);
int io_uring_enter(unsigned int fd, unsigned int to_submit, unsigned int min_complete,
        unsigned int flags, sigset_t *sig);
int io_uring_register(unsigned int fd, unsigned int opcode, const void *arg, unsigned int nr_args);
