#!/usr/bin/env bash
# Compiles each of our headers together with the vendor's: a wrong prototype, struct or constant is a
# compile error. What is not installed is fetched (headers from PyPI) or named; with CI=true nothing
# may be missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../bin/paths.sh"
cd "$(dirname "$0")"
require_cache
cache="$cache/vendor-headers"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
ci="${CI:-false}"

skip() { # reason
    echo "native-headers: $1"
    if [ "$ci" = true ]; then
        echo "native-headers: CI=true allows no gap" >&2
        exit 1
    fi
}

# Folder of ours, vendor's header as it is included, release of the vendor or -, include folders.
check() {
    local library="$1" vendor="$2" release="$3"
    shift 3
    local functions="$work/$library-functions.inc" header
    header="$(basename "$(ls "$library"/*.h)")"
    # A line of includes.txt may end in "# 5": only that major release has the function.
    awk -v release="$release" '/^--include-function/ && ($3 != "#" || $4 == release) { print "FUNCTION(" $2 ")" }' \
        "$library/includes.txt" > "$functions"
    gcc -std=gnu11 -fsyntax-only -Wall -Werror -Wno-unused-const-variable -D_GNU_SOURCE \
        -DZSTD_STATIC_LINKING_ONLY -DZSTD_DISABLE_DEPRECATE_WARNINGS "${@/#/-isystem}" -I. \
        -DVENDOR_HEADER="<$vendor>" -DOUR_HEADER="\"$library/$header\"" \
        -DLAYOUT="\"$library/layout.inc\"" -DFUNCTIONS="\"$functions\"" check.c
    echo "native-headers: $library agrees with $vendor${release:+ $release} ($(wc -l < "$functions") functions)"
}

# Fetches a wheel once and unpacks its headers. Prints the folder; fails without network.
wheel_headers() { # requirement
    local target="$cache/$1"
    if [ ! -d "$target" ]; then
        rm -rf "$work/wheel" "$work/unpacked"
        python3 -I -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
            --dest "$work/wheel" "$1" >&2 || return 1
        python3 -I -m zipfile -e "$work"/wheel/*.whl "$work/unpacked" || return 1
        find "$work/unpacked" -type f ! -name '*.h' ! -name '*.hpp' -delete
        mkdir -p "$cache"
        mv "$work/unpacked" "$target"
    fi
    echo "$target"
}

if ! command -v gcc > /dev/null; then
    skip "skipped, gcc is not installed"
    exit 0
fi

for entry in liburing:liburing.h:liburing-dev libzstd:zstd.h:libzstd-dev liblz4:lz4.h:liblz4-dev; do
    IFS=: read -r library vendor package <<< "$entry"
    if echo "#include <$vendor>" | gcc -E - > "$work/preprocessed" 2>&1; then
        check "$library" "$vendor" ""
    else
        skip "$library not checked, $vendor is not installed (Debian: $package)"
    fi
done

if runtime="$(wheel_headers nvidia-cuda-runtime==13.0.96)" && crt="$(wheel_headers nvidia-cuda-crt==13.0.88)"; then
    cuda=("$runtime/nvidia/cu13/include" "$crt/nvidia/cu13/include")
    check cudart cuda_runtime_api.h "" "${cuda[@]}"
    if cufile="$(wheel_headers nvidia-cufile==1.15.1.6)"; then
        check cufile cufile.h "" "${cuda[@]}" "$cufile/nvidia/cu13/include"
    else
        skip "cuFile not checked, its headers could not be fetched"
    fi
    for release in 5.1.0.21 6.0.0.12; do
        if nvcomp="$(wheel_headers "nvidia-libnvcomp-cu13==$release")"; then
            cat > "$work/nvcomp_all.h" <<'HEADERS'
#include <nvcomp.h>
#include <nvcomp/lz4.h>
#include <nvcomp/snappy.h>
#include <nvcomp/deflate.h>
#include <nvcomp/gdeflate.h>
#include <nvcomp/gzip.h>
#include <nvcomp/zstd.h>
#include <nvcomp/bitcomp.h>
#include <nvcomp/cascaded.h>
HEADERS
            check nvcomp nvcomp_all.h "${release%%.*}" "${cuda[@]}" "$nvcomp/nvidia/libnvcomp/include" "$work"
        else
            skip "nvCOMP $release not checked, its headers could not be fetched"
        fi
    done
else
    skip "CUDA, cuFile and nvCOMP not checked, the headers of the CUDA runtime could not be fetched"
fi
