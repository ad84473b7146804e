package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

final class ErrnoTest {
    @Test
    void everyConstantHasItsName() throws Exception {
        for (Field field : Errno.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                assertEquals(field.getName(), Errno.name(field.getInt(null)));
            }
        }
    }

    @Test
    void anUnknownErrnoKeepsItsNumber() {
        assertEquals("E4095", Errno.name(4095));
        assertEquals(
                "preadv(file at 8, 16 bytes): E4095 (errno 4095)",
                new ErrnoException("preadv", "file at 8, 16 bytes", -4095).getMessage());
    }

    @Test
    void saysInWordsWhatUsersMeet() {
        assertEquals("too many symbolic links (ELOOP)", Errno.words(Errno.ELOOP));
        assertEquals("permission denied (EACCES)", Errno.words(Errno.EACCES));
        assertEquals("EBUSY", Errno.words(Errno.EBUSY));
        assertEquals("E4095", Errno.words(4095));
    }
}
