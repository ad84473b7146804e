/** Measures what a new process takes until it has its first element, and which threads take it. */
package io.zarrengine.bench.start;
