#!/usr/bin/env bash
# Generates the Java bindings from the headers here and records what they came from.
# Needs jextract for JDK 25 on the PATH; the build never does.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")"
out=../bindings/src/generated/java
rm -rf "$out"

generate() { # folder, header, class
    jextract --output "$out" --target-package "io.zarrengine.bindings.$1" --header-class-name "$3" \
        "@$1/includes.txt" "$1/$2"
}
generate liburing liburing.h Liburing
generate libzstd zstd.h Libzstd
generate liblz4 lz4.h Liblz4
generate cudart cuda_runtime_api.h Cudart
generate cufile cufile.h Cufile
generate nvcomp nvcomp.h Nvcomp

./sources.sh > ../bindings/src/generated/sources.sha256
