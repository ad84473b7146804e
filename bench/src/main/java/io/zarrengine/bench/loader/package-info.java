/** Measures the loader beside the engine alone, and transforms beside none. */
package io.zarrengine.bench.loader;
