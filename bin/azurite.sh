# Installs Azurite, Microsoft's emulator of Azure Blob Storage, in a folder of ~/.cache/zarr-engine, and starts it on
# the loopback interface, for tests; it ends with the script. Sourced, not run.
# shellcheck shell=bash

source "${BASH_SOURCE[0]%/*}/ports.sh"

azurite_version=3.35.0 # the last one for the Node.js of Debian 12 and 13

# Sets azurite to its program, and installs it if it is missing; or sets problem and fails.
install_azurite() {
    require_cache
    local folder="$cache/azurite-$azurite_version"
    azurite="$folder/node_modules/azurite/dist/src/blob/main.js"
    problem="needs Node.js 18 or newer with npm: apt-get install npm"
    command -v node > /dev/null || return 1
    [ ! -f "$folder/.installed" ] || return 0
    command -v npm > /dev/null || return 1
    echo "${0##*/}: installing Azurite to $folder" >&2
    rm -rf "$folder"
    mkdir -p "$folder"
    problem="npm cannot install azurite@$azurite_version"
    # npm reads its configuration, which may name programs to run, from the current folder.
    (cd "$folder" && npm install --silent --no-audit --no-fund --omit=dev --ignore-scripts --prefix "$folder" \
        "azurite@$azurite_version" >&2) || return 1
    touch "$folder/.installed"
}

# Starts it without any blobs, and sets azurite_port; or sets problem and fails.
start_azurite() {
    install_azurite || return 1
    azurite_folder="$(mktemp -d)"
    azurite_port="$(free_port)"
    (cd "$azurite_folder" && exec node "$azurite" --blobHost 127.0.0.1 --blobPort "$azurite_port" \
        --inMemoryPersistence --silent --disableTelemetry) > "$azurite_folder/log" 2>&1 &
    azurite_process=$!
    trap stop_azurite EXIT
    await_port "$azurite_port" "$azurite_process" && return 0
    problem="Azurite does not start: $(tail -5 "$azurite_folder/log")"
    return 1
}

stop_azurite() {
    kill "$azurite_process" 2> /dev/null || true
    wait "$azurite_process" 2> /dev/null || true
    rm -rf "$azurite_folder"
}
