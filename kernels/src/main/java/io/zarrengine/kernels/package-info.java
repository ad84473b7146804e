/** The compiled bytes of the sources in {@code src/main/native}. */
package io.zarrengine.kernels;
