/**
 * Which reads bring many wanted ranges: sorted, fused with their neighbours, and cut where long.
 *
 * <p>Pure arithmetic over flat arrays: no I/O, no object for a range. {@link
 * io.zarrengine.uring.plan.ReadPlan} is the entry.
 *
 * <p>Depends on nothing.
 */
package io.zarrengine.uring.plan;
