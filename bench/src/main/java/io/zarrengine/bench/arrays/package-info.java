/** The arrays that benchmarks read: their layouts, their encodings and their elements. */
package io.zarrengine.bench.arrays;
