/**
 * Plans the reads that fetch many wanted ranges: sorts ranges, fuses neighbours and cuts long ones.
 *
 * <p>Pure arithmetic over flat arrays: no I/O, no object for a range. {@link
 * io.zarrengine.uring.plan.ReadPlan} is the entry.
 *
 * <p>Depends on nothing.
 */
package io.zarrengine.uring.plan;
