package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.zarr.metrics.Recorder;
import java.util.ArrayList;
import java.util.List;

/**
 * The copy, decode and place times of a batch, if Flight Recorder records them. Times come from the
 * device's clock, because the host notices later that a batch is done, and a batch may have waited
 * for its copies.
 *
 * <p>Owner: the batch. Threads: the device's.
 */
final class BatchTimes implements AutoCloseable {
    private final List<CudaEvent> owned = new ArrayList<>();
    private final CudaEvent copyBegin;
    private final CudaEvent copyEnd;
    private final CudaEvent decodeBegin;
    private final CudaEvent decodeEnd;
    private final CudaEvent placeEnd;
    private DeviceBatchEvent event; // null: not recorded

    BatchTimes(CudaDevice device) throws CudaException {
        try {
            copyBegin = own(CudaEvent.openTimed(device));
            copyEnd = own(CudaEvent.openTimed(device));
            decodeBegin = own(CudaEvent.openTimed(device));
            decodeEnd = own(CudaEvent.openTimed(device));
            placeEnd = own(CudaEvent.openTimed(device));
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    private CudaEvent own(CudaEvent opened) {
        owned.add(opened);
        return opened;
    }

    /**
     * Records the beginning of the first copy, and adds up the copied bytes. Called before each
     * slot's copy.
     */
    void copy(CudaStream copies, long bytes, long describeNanos) throws CudaException {
        if (event == null && Recorder.isInUse()) {
            DeviceBatchEvent candidate = new DeviceBatchEvent();
            if (!candidate.isEnabled()) {
                return;
            }
            candidate.begin();
            copyBegin.record(copies);
            event = candidate;
        }
        if (event != null) {
            event.bytes += bytes;
            event.describeTime += describeNanos;
        }
    }

    /** Records that all copies are queued. The work queued next decodes. */
    void decodeBegins(CudaStream copies, CudaStream work) throws CudaException {
        if (event != null) {
            copyEnd.record(copies);
            work.waitFor(copyEnd); // so that this event has passed when the batch is done
            decodeBegin.record(work);
        }
    }

    void decodeEnds(CudaStream work) throws CudaException {
        if (event != null) {
            decodeEnd.record(work);
        }
    }

    void placeEnds(CudaStream work) throws CudaException {
        if (event != null) {
            placeEnd.record(work);
        }
    }

    /** Commits the recorded event. Called when the batch is done. */
    void seen(int chunks) throws CudaException {
        if (event != null) {
            event.chunks = chunks;
            event.copyTime = copyEnd.millisSince(copyBegin);
            event.decodeBegin = decodeBegin.millisSince(copyBegin);
            event.decodeTime = decodeEnd.millisSince(decodeBegin);
            event.placeTime = placeEnd.millisSince(decodeEnd);
            event.commit();
        }
    }

    /** Forgets the batch, whether it succeeded or failed. */
    void clear() {
        event = null;
    }

    @Override
    public void close() {
        owned.forEach(CudaEvent::close);
    }
}
