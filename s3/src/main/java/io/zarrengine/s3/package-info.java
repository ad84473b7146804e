/** A store of objects in S3. Start with {@link io.zarrengine.s3.S3Store}. */
package io.zarrengine.s3;
