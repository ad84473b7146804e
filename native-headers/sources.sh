#!/usr/bin/env bash
# Prints the hashes of everything that the generated bindings come from.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")"
sha256sum convention.h generate.sh */*.h */includes.txt | LC_ALL=C sort -k 2
