package io.zarrengine.zarr.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

/** Writes zip files that the JDK does not write: duplicate names, leading bytes, holes, 64 bits. */
final class ZipBytes implements AutoCloseable {
    private final FileChannel file;
    private final boolean is64;
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private final long base;
    private int entries;
    int flags;
    int disk;

    /** Begins a zip file after some bytes; with {@code is64}, all numbers have 64 bits. */
    ZipBytes(Path zip, String before, boolean is64) throws IOException {
        this.file = FileChannel.open(zip, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.is64 = is64;
        this.base = before.length();
        write(ascii(before));
    }

    /** Leaves a hole, which takes no space on the disk. */
    ZipBytes skip(long bytes) throws IOException {
        file.position(file.position() + bytes);
        return this;
    }

    ZipBytes add(String name, String text) throws IOException {
        return add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    ZipBytes add(String name, byte[] bytes) throws IOException {
        long offset = file.position() - base;
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        write(
                buffer(30)
                        .putInt(0x04034b50)
                        .position(14)
                        .putInt((int) crc.getValue())
                        .putInt(bytes.length)
                        .putInt(bytes.length)
                        .putShort((short) nameBytes.length)
                        .putShort((short) 5));
        write(ByteBuffer.wrap(nameBytes));
        write(buffer(5)); // extra fields that the directory does not have
        write(ByteBuffer.wrap(bytes));
        ByteBuffer entry =
                buffer(46)
                        .putInt(0x02014b50)
                        .position(8)
                        .putShort((short) flags)
                        .position(16)
                        .putInt((int) crc.getValue())
                        .putInt(is64 ? -1 : bytes.length)
                        .putInt(is64 ? -1 : bytes.length)
                        .putShort((short) nameBytes.length)
                        .putShort((short) (is64 ? 4 + 3 + 4 + 24 : 0))
                        .position(42)
                        .putInt(is64 ? -1 : (int) offset);
        list(entry);
        list(ByteBuffer.wrap(nameBytes));
        if (is64) { // after another field
            list(
                    buffer(35)
                            .putShort((short) 0x7075)
                            .putShort((short) 3)
                            .position(7)
                            .putShort((short) 1)
                            .putShort((short) 24)
                            .putLong(bytes.length)
                            .putLong(bytes.length)
                            .putLong(offset));
        }
        entries++;
        return this;
    }

    void end(String comment) throws IOException {
        long offset = file.position() - base;
        write(ByteBuffer.wrap(directory.toByteArray()));
        if (is64) {
            long end = file.position();
            write(
                    buffer(56)
                            .putInt(0x06064b50)
                            .putLong(44)
                            .position(24)
                            .putLong(entries)
                            .putLong(entries)
                            .putLong(directory.size())
                            .putLong(offset));
            write(buffer(20).putInt(0x07064b50).position(8).putLong(end).putInt(1));
        }
        write(
                buffer(22)
                        .putInt(0x06054b50)
                        .putShort((short) disk)
                        .position(8)
                        .putShort((short) (is64 ? -1 : entries))
                        .putShort((short) (is64 ? -1 : entries))
                        .putInt(is64 ? -1 : directory.size())
                        .putInt(is64 ? -1 : (int) offset)
                        .putShort((short) comment.length()));
        write(ascii(comment));
        close();
    }

    private void write(ByteBuffer bytes) throws IOException {
        bytes.rewind();
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private void list(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.rewind().remaining()];
        bytes.get(copy);
        directory.writeBytes(copy);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
