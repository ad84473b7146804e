# Installs other implementations, at fixed versions, in folders of ~/.cache/zarr-engine. The product does not need
# them. Sourced, not run.
# shellcheck shell=bash

find_cache
peers_cache="$cache"

find_python() {
    local candidate
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        # -I, here and below: otherwise Python imports modules of the current folder.
        if "$candidate" -I -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            python="$candidate"
            return 0
        fi
    done
    return 1
}

# Sets environment to a virtual environment with zarr-python, zarrs and TensorStore; fails if it is missing.
find_python_peers() {
    name_python_environment cross-check "$project/cross-check/requirements.txt"
    [ -f "$environment/.installed" ]
}

# The same, but creates it; or sets problem and fails.
install_python_peers() {
    install_python_environment cross-check "$project/cross-check/requirements.txt"
}

# Sets environment to a virtual environment with the packages of a file, and creates it if it is missing; or sets
# problem and fails.
install_python_environment() { # name, file of requirements
    require_cache
    name_python_environment "$@"
    [ ! -f "$environment/.installed" ] || return 0
    problem="needs Python 3.11 or newer with venv"
    find_python || return 1
    echo "${0##*/}: installing the packages of ${2#"$project/"} to $environment" >&2
    rm -rf "$environment"
    problem="Python cannot make a virtual environment"
    "$python" -I -m venv "$environment" || return 1
    problem="the packages of ${2#"$project/"} cannot be installed"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --retries 1 --requirement "$2" >&2 || return 1
    touch "$environment/.installed"
}

name_python_environment() { # name, file of requirements
    environment="$peers_cache/$1-$(cksum < "$2" | cut -d ' ' -f 1)"
}

# Sets zarrs to the program that reads with zarrs, and builds it if it is missing; or sets problem and fails.
build_zarrs_worker() {
    local sources="$project/bench/src/main/rust/zarrs-worker"
    require_cache
    zarrs="$peers_cache/zarrs-worker/release/zarrs-worker"
    problem="needs cargo, of Rust 1.91 or newer"
    command -v cargo > /dev/null || return 1
    problem="zarrs cannot be built"
    # Cargo reads its configuration, which may name programs to run, from the current folder.
    (cd "$sources" && CARGO_TARGET_DIR="$peers_cache/zarrs-worker" cargo build --quiet --release --locked >&2) && return
    rm -f "$zarrs" # An old program would be measured.
    return 1
}
