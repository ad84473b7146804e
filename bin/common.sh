# Shared by the scripts of this folder; sourced, not run.
# shellcheck shell=bash

set -euo pipefail
source "${BASH_SOURCE[0]%/*}/paths.sh"

project="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
java_min=25

fail() {
    echo "${0##*/}: $1" >&2
    exit 1
}

# Sets major to the version of the JDK in a folder; to 0 if there is none.
jdk_major() {
    local line
    major=0
    if [ -x "$1/bin/javac" ] && [ -f "$1/release" ]; then
        while read -r line; do
            if [[ "$line" =~ ^JAVA_VERSION=\"([0-9]+) ]]; then
                major="${BASH_REMATCH[1]}"
            fi
        done < "$1/release"
    fi
}

# Sets jdk to the folder of a JDK that is new enough: JAVA_HOME, the one on the PATH, the usual folders;
# of those in the home folder only what nobody else could have put there.
find_jdk() {
    local folder javac
    javac="$(type -P javac || true)"
    for folder in "${JAVA_HOME:-}" /usr/lib/jvm/* "${javac%/bin/javac}" /usr/java/* /opt/java/* /opt/jdk* \
        ~/.jdks/* ~/.sdkman/candidates/java/*; do
        jdk_major "$folder"
        if [ "$major" -ge "$java_min" ] &&
            { [[ "$folder" != ~/.* ]] || [ "$folder" = "${JAVA_HOME:-}" ] || is_private "$folder"; }; then
            jdk="$folder"
            return 0
        fi
    done
    return 1
}

# Sets JAVA_HOME, or says how to get a JDK.
require_jdk() {
    find_jdk || fail "needs JDK $java_min or newer: run bin/setup, or set JAVA_HOME"
    export JAVA_HOME="$jdk"
}

# Prints the file whose time says how new the sources are that a module's jars come from.
build_stamp() { # module
    echo "$project/$1/target/lib/.built"
}

# Runs Maven with that JDK, quietly, in the project: what it reads of the current folder is ours. What
# matters of its output goes to the standard error. It ends before better code of its plugins pays: with the
# simple compiler alone the build takes a third less of the processor. Modules are built two at a time.
run_maven() {
    command -v mvn > /dev/null || fail "needs Maven: run bin/setup"
    (cd "$project" && MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-} \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow" \
        mvn --batch-mode --no-transfer-progress --threads 2 "$@" >&2)
}

# Sets published to the modules that a release has, as the BOM lists them: their folders, which are their
# artifacts' names.
# shellcheck disable=SC2034 # Callers read it.
find_published() {
    mapfile -t published < <(sed -n '/<dependencies>/,/<\/dependencies>/s:.*<artifactId>\(.*\)</artifactId>.*:\1:p' \
        "$project/bom/pom.xml")
}
