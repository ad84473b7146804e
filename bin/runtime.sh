# Makes the Java runtime and the jars that a bundle and the wheel carry; sourced, not run.
# shellcheck shell=bash

# Both are packed again, better than a jar or a runtime packs itself, so they are not compressed before.

store_jar() { # jar: is replaced
    local unpacked
    unpacked="$(mktemp -d)"
    (cd "$unpacked" && "$JAVA_HOME/bin/jar" --extract --file "$1")
    sed -i '/^Sealed:/d' "$unpacked/META-INF/MANIFEST.MF" # A sealed package stays where Java's cache has seen it.
    "$JAVA_HOME/bin/jar" --create --file "$1" --no-manifest --no-compress -C "$unpacked" .
    rm -r "$unpacked"
}

# What the engine needs of the JDK: the HTTP client with its ciphers, XML for lists of keys, vectors, aircompressor's memory, jars as file systems.
engine_modules=java.base,java.logging,java.net.http,java.xml,jdk.crypto.ec,jdk.incubator.vector,jdk.jfr,jdk.unsupported,jdk.zipfs

link_runtime() { # folder, modules, options of jlink
    "$JAVA_HOME/bin/jlink" --output "$1" --strip-debug --no-header-files --no-man-pages --compress zip-0 \
        --add-modules "$2" "${@:3}"
}
