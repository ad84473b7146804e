/** Clients of HTTP side by side: {@code bin/bench clients}. */
package io.zarrengine.bench.http;
