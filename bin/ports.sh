# Ports of the loopback interface, for servers of tests and benchmarks. Sourced, not run.
# shellcheck shell=bash

free_port() {
    python3 -I -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Waits until a server listens; fails if its process ends before, or after 20 s.
await_port() { # port, process
    local i
    for i in {1..200}; do
        (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null && return 0
        kill -0 "$2" 2> /dev/null || return 1
        sleep 0.1
    done
    return 1
}
