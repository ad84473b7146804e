# Runs commands two at a time; sourced by scripts of this folder and of the bundle.
# shellcheck shell=bash

started=0
one_failed=false

await_one() {
    wait -n || one_failed=true
    started=$((started - 1))
}

# Starts a command; if two are running, waits for one of them first.
start_one_of_two() {
    if [ "$started" -eq 2 ]; then
        await_one
    fi
    "$@" &
    started=$((started + 1))
}

# Fails if a command failed that was started since the last call.
wait_for_all() {
    local failed
    while [ "$started" -gt 0 ]; do
        await_one
    done
    failed="$one_failed"
    one_failed=false
    ! "$failed"
}
