package io.zarrengine.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.HexFormat;

/**
 * Writes text of unknown origin to a terminal. Control characters, which could change the terminal,
 * are escaped; newlines stay.
 */
final class PrintableWriter extends FilterWriter {
    PrintableWriter(Writer out) {
        super(out);
    }

    /** {@return the text with control characters escaped} */
    static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && c != '\n') {
                printable.append("\\u").append(HexFormat.of().toHexDigits(c));
            } else {
                printable.append(c);
            }
        }
        return printable.toString();
    }

    @Override
    public void write(int c) throws IOException {
        out.write(printable(Character.toString((char) c)));
    }

    @Override
    public void write(char[] buffer, int offset, int length) throws IOException {
        out.write(printable(new String(buffer, offset, length)));
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        out.write(printable(text.substring(offset, offset + length)));
    }
}
