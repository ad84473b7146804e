package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;

/** The device decodes all chunks that it can decode. */
public final class FixedDecoderRule implements DecoderRule {
    @Override
    public boolean isLoadedWith(long moreChunks) {
        return true;
    }

    @Override
    public boolean prefersDevice(NvcompFormat format, long streamBytes, long streams) {
        return true;
    }

    @Override
    public boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks) {
        return true;
    }

    @Override
    public boolean isHelpDue(NvcompFormat format, long chunkBytes) {
        return false;
    }
}
