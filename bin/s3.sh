# Starts an S3 server on the loopback interface, for tests; it ends with the script. Sourced, not run.
# shellcheck shell=bash

source "${BASH_SOURCE[0]%/*}/ports.sh"

s3_version=0.14.1

# Sets s3s to the program of the server, and builds it if it is missing; or sets problem and fails.
build_s3_server() {
    require_cache
    local folder="$cache/s3s-fs-$s3_version"
    s3s="$folder/bin/s3s-fs"
    [ ! -x "$s3s" ] || return 0
    problem="needs cargo, of Rust 1.92 or newer"
    command -v cargo > /dev/null || return 1
    problem="s3s-fs cannot be built"
    echo "${0##*/}: building s3s-fs in $folder" >&2
    # Cargo reads its configuration, which may name programs to run, from the current folder.
    (cd / && cargo install --quiet --locked --features binary --root "$folder" "s3s-fs@$s3_version" >&2)
}

# Serves the buckets of a new folder, with one access key; sets s3_port and s3_folder; or sets problem and
# fails.
start_s3_server() {
    build_s3_server || return 1
    s3_folder="$(mktemp -d)"
    s3_port="$(free_port)"
    "$s3s" --host 127.0.0.1 --port "$s3_port" --access-key tests --secret-key of-zarr-engine "$s3_folder" \
        > "$s3_folder.log" 2>&1 &
    s3_process=$!
    trap stop_s3_server EXIT
    problem="s3s-fs does not start: $s3_folder.log"
    await_port "$s3_port" "$s3_process"
}

stop_s3_server() {
    kill "$s3_process" 2> /dev/null || true
    wait "$s3_process" 2> /dev/null || true
    rm -rf "$s3_folder" "$s3_folder.log"
}
