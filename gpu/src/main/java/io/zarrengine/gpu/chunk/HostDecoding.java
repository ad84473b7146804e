package io.zarrengine.gpu.chunk;

/**
 * The reason for which workers decode a chunk of a device read, so that the device only places it.
 */
public enum HostDecoding implements DecodeDecision {
    CODECS("codecs or filters that no GPU undoes"),
    CHECKSUM("checksums that nvCOMP would not compare"),
    UNVOUCHED("no checksum says that they are undamaged"),
    DECODER("no decoder on the GPU"),
    FRAME("of another size, or frames that nvCOMP must not see"),
    BLOSC("blosc of other compressors or elements, or damaged"),
    STORED("stored by blosc as they are"),
    SIZE("larger than pinned memory is cut"),
    LOAD("few under way"),
    SOONER("the CPU is sooner"),
    HELP("the CPU helps the GPU");

    private final String words;

    HostDecoding(String words) {
        this.words = words;
    }

    /** {@return the reason, as a property of chunks} */
    @Override
    public String toString() {
        return words;
    }
}
