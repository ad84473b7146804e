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

# Sets jdk to the folder of a recent enough JDK: JAVA_HOME, the one on the PATH, the usual folders. A JDK in the
# home folder counts only if no other user could have put it there.
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

# Sets JAVA_HOME, or fails and says how to get a JDK.
require_jdk() {
    find_jdk || fail "needs JDK $java_min or newer: run bin/setup, or set JAVA_HOME"
    export JAVA_HOME="$jdk"
}

# Prints the file whose time is that of the newest sources in a module's jars, or in those of the tests.
build_stamp() { # module, or tests
    if [ "$1" = tests ]; then
        echo "$project/cli/target/test-lib/.built"
    else
        echo "$project/$1/target/lib/.built"
    fi
}

# Runs Maven with that JDK, quietly, in the project, so that it reads no files of another current folder. Its errors
# go to the standard error. Only the simple compiler is used, because Maven ends before better code pays: the build
# then takes a third less CPU time. Builds two modules at a time.
run_maven() {
    command -v mvn > /dev/null || fail "needs Maven: run bin/setup"
    (cd "$project" && MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-} \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow" \
        mvn --batch-mode --no-transfer-progress --threads 2 "$@" >&2)
}

# Sets published to the modules of a release, which the BOM lists. Their folders have the names of their artifacts.
# shellcheck disable=SC2034 # Callers read it.
find_published() {
    mapfile -t published < <(sed -n '/<dependencies>/,/<\/dependencies>/s:.*<artifactId>\(.*\)</artifactId>.*:\1:p' \
        "$project/bom/pom.xml")
}
