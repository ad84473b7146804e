package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.liburing.io_cqring_offsets;
import io.zarrengine.bindings.liburing.io_sqring_offsets;
import io.zarrengine.bindings.liburing.io_uring_cqe;
import io.zarrengine.bindings.liburing.io_uring_files_update;
import io.zarrengine.bindings.liburing.io_uring_params;
import io.zarrengine.bindings.liburing.io_uring_sqe;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Catches a plain number for a member of a C struct that the header has elsewhere. */
final class RingLayoutTest {
    @BeforeEach
    void needsNativeAccess() {
        assumeTrue(NativeAccess.denial().isEmpty(), "the generated classes need native access");
    }

    @Test
    void parametersAreWhereTheHeaderHasThem() {
        assertArrayEquals(
                new long[] {
                    io_uring_params.sizeof(),
                    io_uring_params.sq_entries$offset(),
                    io_uring_params.cq_entries$offset(),
                    io_uring_params.flags$offset(),
                    io_uring_params.features$offset(),
                    io_uring_params.sq_off$offset(),
                    io_uring_params.cq_off$offset()
                },
                new long[] {
                    RingSetup.PARAMS_BYTES,
                    RingSetup.SQ_ENTRIES,
                    RingSetup.CQ_ENTRIES,
                    RingSetup.FLAGS,
                    RingSetup.FEATURES,
                    RingSetup.SQ_OFF,
                    RingSetup.CQ_OFF
                });
    }

    @Test
    void submissionsAreWhereTheHeaderHasThem() {
        assertArrayEquals(
                new long[] {
                    io_sqring_offsets.head$offset(),
                    io_sqring_offsets.tail$offset(),
                    io_sqring_offsets.ring_entries$offset(),
                    io_sqring_offsets.flags$offset(),
                    io_sqring_offsets.array$offset(),
                    io_uring_sqe.sizeof(),
                    io_uring_sqe.off$offset(),
                    io_uring_sqe.addr$offset(),
                    io_uring_sqe.len$offset(),
                    io_uring_sqe.rw_flags$offset(),
                    io_uring_sqe.user_data$offset(),
                    io_uring_sqe.buf_index$offset()
                },
                new long[] {
                    SubmissionQueue.HEAD,
                    SubmissionQueue.TAIL,
                    SubmissionQueue.RING_ENTRIES,
                    SubmissionQueue.FLAGS,
                    SubmissionQueue.ARRAY,
                    SubmissionQueue.ENTRY_BYTES,
                    SubmissionQueue.OFF,
                    SubmissionQueue.ADDR,
                    SubmissionQueue.LEN,
                    SubmissionQueue.READ_FLAGS,
                    SubmissionQueue.USER_DATA,
                    SubmissionQueue.BUF_INDEX
                });
    }

    @Test
    void completionsAreWhereTheHeaderHasThem() {
        assertArrayEquals(
                new long[] {
                    io_cqring_offsets.head$offset(),
                    io_cqring_offsets.tail$offset(),
                    io_cqring_offsets.ring_mask$offset(),
                    io_cqring_offsets.cqes$offset(),
                    io_uring_cqe.sizeof(),
                    io_uring_cqe.res$offset()
                },
                new long[] {
                    CompletionQueue.HEAD,
                    CompletionQueue.TAIL,
                    CompletionQueue.RING_MASK,
                    CompletionQueue.CQES,
                    CompletionQueue.ENTRY_BYTES,
                    CompletionQueue.RES
                });
    }

    @Test
    void updatesOfFilesAreWhereTheHeaderHasThem() {
        assertArrayEquals(
                new long[] {
                    io_uring_files_update.sizeof(),
                    io_uring_files_update.offset$offset(),
                    io_uring_files_update.fds$offset()
                },
                new long[] {
                    FixedFileTable.UPDATE_BYTES, FixedFileTable.OFFSET, FixedFileTable.FDS
                });
    }
}
