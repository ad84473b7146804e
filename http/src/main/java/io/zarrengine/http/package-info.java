/**
 * A store of objects behind {@code http:} and {@code https:} URLs, on Netty. Start with {@link
 * io.zarrengine.http.HttpStore}.
 */
package io.zarrengine.http;
