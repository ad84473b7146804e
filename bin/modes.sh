# Runs the tests without Maven, in each mode that lacks something optional; sourced by
# bin/test and by the bundle's test script.
# shellcheck shell=bash
source "${BASH_SOURCE[0]%/*}/paths.sh"
source "${BASH_SOURCE[0]%/*}/parallel.sh"

# A JVM that tests for longer hangs: it prints its threads, and is ended half a minute later.
test_deadline=(timeout --foreground --signal=QUIT --kill-after=30 20m)

# Arguments: java, folder of jars, folder of the test runner and the test jars, the project's files, options. The
# variable test_selection has options of the test runner.
run_tests() {
    local java="$1" jars="$2" test_jars="$3" files="$4"
    shift 4
    set_class_path "$jars"/*.jar "$test_jars"/*.jar
    (cd "$files" && "${test_deadline[@]}" "$java" -Xmx1g -ea -Djava.awt.headless=true -Dio.zarrengine.project="$files" \
        --sun-misc-unsafe-memory-access=allow "$@" \
        -cp "$class_path" \
        org.junit.platform.console.ConsoleLauncher execute "${test_selection[@]}" \
        --disable-banner --details=summary --fail-if-no-tests)
}

# Takes the arguments of run_tests, with the class before the options.
run_test_class() {
    local java="$1" jars="$2" test_jars="$3" files="$4" class="$5"
    shift 5
    set_class_path "$jars"/*.jar "$test_jars"/*.jar
    (cd "$files" && "${test_deadline[@]}" "$java" -Xmx1g -ea -Djava.awt.headless=true -Dio.zarrengine.project="$files" \
        --sun-misc-unsafe-memory-access=allow "$@" \
        -cp "$class_path" \
        org.junit.platform.console.ConsoleLauncher execute --select-class="$class" \
        --disable-banner --details=summary --fail-if-no-tests)
}

# Only the simple compiler is used, as by test.jit in pom.xml, because the tests are too short for better code. A
# hundred random arrays are enough, because other tests are for these modes.
quickly="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dio.zarrengine.cases=100"

# The first mode and the random arrays also test what the better compiler makes, of code that runs ten times as often
# as usual.
seldom="-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 -XX:Tier4CompileThreshold=150000 -XX:+UseSerialGC"

# The modules whose code depends on the modes in the middle. The first mode runs all tests, and the last one all but
# those that start a JVM of their own, which does not get the options of the mode.
mode_modules=(bindings io-uring nvcomp zarr-engine gpu)

test_modes=(
    "class path, the Vector API instead of our machine code|--enable-native-access=ALL-UNNAMED --add-modules=jdk.incubator.vector -Dio.zarrengine.machinecode=off $seldom"
    "liburing hidden, SIGBUS not handled, heap written by Java|--enable-native-access=ALL-UNNAMED -Dio.zarrengine.liburing=off -Dio.zarrengine.sigbus=off -Dio.zarrengine.heapcalls=off $quickly"
    "libzstd and liblz4 hidden, all files mapped, all targets far|--enable-native-access=ALL-UNNAMED -Dio.zarrengine.libzstd=off -Dio.zarrengine.liblz4=off -Dio.zarrengine.mapping=1 -Dio.zarrengine.nontemporal.target=1 $quickly"
    "without the Vector API and our machine code|--enable-native-access=ALL-UNNAMED -Dio.zarrengine.machinecode=off $quickly"
    "native access denied|--illegal-native-access=deny $quickly"
)

# Sets test_selection to the tests that a mode runs. Arguments: the mode, folder of the test jars.
select_tests() {
    local mode="$1" test_jars="$2" module jars=()
    case "$mode" in
        "${test_modes[0]}" | "${test_modes[-1]}") jars=("$test_jars"/*-tests.jar) ;;
        *)
            for module in "${mode_modules[@]}"; do
                jars+=("$test_jars/$module"-[0-9]*-tests.jar)
            done
            ;;
    esac
    set_class_path "${jars[@]}"
    test_selection=("--scan-classpath=$class_path")
    [ "$mode" = "${test_modes[0]}" ] || test_selection+=(--exclude-tag other-jvm)
}

# Arguments: a mode, then the arguments of run_tests without options.
run_test_mode() {
    local mode="$1" output
    shift
    select_tests "$mode" "$3"
    # shellcheck disable=SC2086
    if output="$(run_tests "$@" ${mode#*|} 2>&1)"; then
        echo "  ${mode%%|*}: $(echo "$output" | grep -oE '[0-9]+ tests (successful|skipped|aborted)' | tr '\n' ' ')"
    else
        echo "$output" | sed -n '/^Full thread dump/,$p' | sed 200q # Of a JVM that hangs.
        printf '%s\n  %s: FAILED\n' "$(echo "$output" | tail -60)" "${mode%%|*}"
        return 1
    fi
}

# Takes the arguments of run_tests without options. Most tests keep one core busy.
run_test_modes() {
    local mode
    for mode in "${test_modes[@]}"; do
        start_one_of_two run_test_mode "$mode" "$@"
    done
    wait_for_all
}
