/**
 * A store of objects behind {@code http:} and {@code https:} URLs, on the JDK's HTTP client. Start
 * with {@link io.zarrengine.http.HttpStore}.
 */
package io.zarrengine.http;
