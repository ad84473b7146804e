/**
 * The handwritten base of all native code: available libraries, libc, errno, and memory with an
 * owner.
 *
 * <p>Depends on {@code java.base} alone. {@link io.zarrengine.bindings.NativeLibrary} decides which
 * libraries may be called; the generated packages below this one must not be used before that. The
 * package is exported to the modules of zarr-engine only.
 *
 * <p>Exceptions are serializable as all of Java are; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.bindings;
