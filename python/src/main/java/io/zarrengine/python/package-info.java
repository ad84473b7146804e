/**
 * The Java side of the Python package. A call from Python costs 1 to 3 microseconds however much it
 * carries, and each Java object that Python holds costs more. So a read is one call, with numbers
 * only: {@link io.zarrengine.python.EntryPoints} takes and returns {@code long[]}, and Python knows
 * arrays and results by handles.
 */
package io.zarrengine.python;
