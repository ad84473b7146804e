# Runs the tests that need a CUDA device, without Maven; sourced by bin/test-gpu and by the bundle.
# shellcheck shell=bash
source "${BASH_SOURCE[0]%/*}/paths.sh"
source "${BASH_SOURCE[0]%/*}/parallel.sh"

export CUFILE_LOGFILE_PATH="${CUFILE_LOGFILE_PATH:-/dev/null}" # Otherwise cuFile logs to the working directory.

# Runs the tests. Arguments: java, folder of jars, folder of the test runner and the test jars, the project's files,
# options. With io.zarrengine.gpu=required a test fails if it finds no device; otherwise it is skipped. Each test is
# named when it begins. A test that hangs, as decoders on a device may, fails with a thread dump. gpu_test_classes
# chooses classes: "DeviceReadTest|CudaDeviceTest"; gpu_test_under is a program that runs Java.
gpu_test_under=()
run_gpu_tests() {
    local java="$1" jars="$2" test_jars="$3" files="$4" tests
    shift 4
    set_class_path "$test_jars"/{cuda,nvcomp,zarr-engine,gpu,cli}-*-tests.jar
    tests="$class_path"
    set_class_path "$jars"/*.jar "$test_jars"/*.jar
    # shellcheck disable=SC2086
    (cd "$files" && "${gpu_test_under[@]}" "$java" -Xmx4g -ea -Dio.zarrengine.project="$files" -Dio.zarrengine.gpu=required \
        -Dio.zarrengine.cufile.compat=true --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        --add-modules=jdk.incubator.vector "$@" ${ZARR_ENGINE_JAVA_OPTIONS:-} \
        -cp "$class_path" \
        org.junit.platform.console.ConsoleLauncher execute \
        --scan-classpath="$tests" --include-tag "${gpu_test_tag:-gpu & !fault & !engine-fault & !mapping-fault & !cufile-fault}" \
        --include-classname ".*(${gpu_test_classes:-Test})" \
        --config junit.jupiter.execution.timeout.default="${gpu_test_timeout:-60 s}" \
        --config junit.jupiter.execution.timeout.thread.mode.default=SEPARATE_THREAD \
        --config junit.jupiter.execution.timeout.threaddump.enabled=true \
        --disable-banner --disable-ansi-colors --details=testfeed --fail-if-no-tests)
}

# Sets sanitizer to NVIDIA's compute-sanitizer: that of the variable COMPUTE_SANITIZER, or of the PATH.
find_sanitizer() {
    if ! sanitizer="$(type -P "${COMPUTE_SANITIZER:-compute-sanitizer}")"; then
        echo "needs compute-sanitizer on the PATH or in COMPUTE_SANITIZER: bin/compute-sanitizer of" \
            "\"pip download --no-deps 'nvidia-cuda-sanitizer-api>=13.4'\", unpacked" >&2
        return 1
    fi
    sanitizer="$(realpath "$sanitizer")"
}

# Runs tests under the sanitizer. Arguments: title, tool, test classes, then the arguments of run_gpu_tests. Checks
# only our kernels. Results of calls are not checked, because Java checks them and some tests provoke errors. Races
# between streams are not checked, because the tool does not see the order that the host ensures with cudaEventQuery
# before it copies back or frees. A run without the tool's summary fails, because its kernels may not have run, and
# so does one that does not reach CUDA.
run_sanitized() {
    local name="$1" tool="$2" classes="$3" log status=0
    shift 3
    echo "  $name: $classes"
    log="$(mktemp)"
    gpu_test_under=("$sanitizer" --tool "$tool" --kernel-name kns=zarr_ --report-api-errors no
        --track-stream-ordered-races no --target-processes all --launch-timeout 300
        --error-exitcode 9)
    gpu_test_classes="$classes" gpu_test_timeout="600 s" run_gpu_tests "$@" > "$log" 2>&1 || status=$?
    gpu_test_under=()
    grep -q 'ERROR SUMMARY: 0 errors' "$log" || status=9
    [ "$status" = 0 ] || tail -200 "$log"
    grep -E '^=========.*SUMMARY|[0-9]+ tests (successful|skipped|aborted|failed)' "$log" || true
    rm "$log"
    [ "$status" = 0 ] || echo "  $name: FAILED ($status)"
    return "$status"
}

# Checks for out-of-bounds accesses, and for reads of uninitialized memory. Takes the arguments of run_gpu_tests. In
# reads of the engine, nvCOMP writes the input of our kernels and its kernels are not checked, so there the second
# check is left out. Our kernels have no shared memory and no barriers, which racecheck and synccheck are for.
run_sanitized_gpu_tests() {
    local kernels="ChunkKernelsTest|KernelBoundsTest"
    find_sanitizer || return 1
    run_sanitized "memcheck of the kernels" memcheck "$kernels" "$@" || return 1
    run_sanitized "initcheck of the kernels" initcheck "$kernels" "$@" || return 1
    run_sanitized "memcheck of reads" memcheck DeviceReadTest "$@"
}

# Runs a benchmark: parts of a device's work alone (copies, decode, kernels), cuFile beside the pinned ring (gds),
# or the report of reads through the engine, with the limits. Arguments: java, the class path, the benchmark's
# arguments. ZARR_ENGINE_JAVA_OPTIONS is for the JVM.
run_gpu_benchmark() {
    local java="$1" class_path="$2" class=io.zarrengine.bench.gpu.GpuMain
    shift 2
    case "${1:-}" in
        copies | decode | kernels) class=io.zarrengine.nvcomp.GpuBenchmark ;;
        gds)
            class=io.zarrengine.bench.gpu.GdsBenchmark
            shift
            ;;
    esac
    # shellcheck disable=SC2086
    "$java" -Xmx8g -XX:+UseParallelGC -Xlog:disable -Xlog:jfr+startup=error:stderr \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        --add-modules=jdk.incubator.vector ${ZARR_ENGINE_JAVA_OPTIONS:-} -cp "$class_path" "$class" "$@"
}

# Compiles the simulated runtime, nvCOMP and cuFile into a folder.
simulate_gpu() { # folder
    local folder="$1" native="$project/cuda/src/test/native"
    # A misaligned access or other undefined behaviour stops the test, as on a device.
    local compile=(g++ -std=c++17 -O2 -Wall -Wextra -Werror -shared -fPIC
        -fsanitize=undefined -fsanitize-undefined-trap-on-error)
    command -v g++ > /dev/null || fail "needs g++"
    mkdir -p "$folder"
    "${compile[@]}" -Wl,-soname,libcudart.so.13 -o "$folder/libcudart.so.13" \
        -I "$project/kernels/src/main/native/cuda" "$native/simulated_cudart.cpp" || return 1
    "${compile[@]}" -o "$folder/libnvcomp.so.5" "$native/simulated_nvcomp.cpp" "$folder/libcudart.so.13" -ldl || return 1
    "${compile[@]}" -o "$folder/libcufile.so.0" "$native/simulated_cufile.cpp" "$folder/libcudart.so.13"
}

# Checks that the benchmark works; its numbers mean nothing. Arguments: folder of the simulation, java, the class
# path, arrays.
run_simulated_gpu_benchmark() {
    local simulated="$1" java="$2" path="$3" folder status=0
    shift 3
    folder="$(mktemp -d)"
    {
        LD_LIBRARY_PATH="$simulated" run_gpu_benchmark "$java" "$path" \
            "--folder=$folder" "--report=$folder" --smoke "$@" &&
            LD_LIBRARY_PATH="$simulated" run_gpu_benchmark "$java" "$path" gds "$folder" 8 2 0.05
    } || status=$?
    rm -r "$folder"
    return "$status"
}

# Arguments: title, folder of the simulation, then the arguments of run_gpu_tests.
run_simulated() {
    local name="$1" folder="$2" output
    shift 2
    # Only the C1 compiler, because the runs are too short for better code.
    if output="$(LD_LIBRARY_PATH="$folder" run_gpu_tests "$@" -XX:TieredStopAtLevel=1 \
        -Dio.zarrengine.cudart.path="$folder/libcudart.so.13" \
        -Dio.zarrengine.nvcomp.path="$folder/libnvcomp.so.5" \
        -Dio.zarrengine.cufile.path="$folder/libcufile.so.0" 2>&1)"; then
        echo "  $name: $(echo "$output" | grep -oE '[0-9]+ tests (successful|skipped|aborted)' | tr '\n' ' ')"
    else
        printf '%s\n%s\n  %s: FAILED\n' "$(echo "$output" | grep -A 30 ':: FAILED')" "$(echo "$output" | tail -50)" "$name"
        return 1
    fi
}

# Each makes the n-th call of a function return a number: with 719 the device fails, 2 means out of memory, and with
# -1 the queued work never ends.
simulated_faults=(cudaMemcpyAsync:3:719 cudaStreamSynchronize:2:719 cudaEventQuery:4:719 cudaEventCreateWithFlags:1:719
    cudaMallocFromPoolAsync:1:719 cudaHostRegister:2:719 cudaMallocFromPoolAsync:1:2 cudaHostRegister:1:2)

# Faults for reads of the engine, at its start and under load.
simulated_engine_faults=(cudaHostRegister:1:2 cudaMallocFromPoolAsync:3:2 cudaMallocFromPoolAsync:12:719
    cudaMemcpyAsync:3:719 cudaMemcpyAsync:30:719 cudaLaunchKernelExC:3:719 cudaEventQuery:100:700 cudaEventRecord:10:719
    cudaEventRecord:20:999 cudaStreamWaitEvent:2:719 cudaLaunchKernelExC:3:-1 cudaMemcpyAsync:20:-1
    cudaPointerGetAttributes:3:719 cudaPointerGetAttributes:3:1)

# Faults for copies from mapped files: the device refuses one, and fails at another.
simulated_mapping_faults=(cudaHostRegister:4:801 cudaHostRegister:5:719 cudaMemcpyBatchAsync:2:719 cudaMemcpyBatchAsync:3:-1
    cudaHostUnregister:1:713)

# Faults for reads around the host's memory.
simulated_direct_faults=(cudaMalloc:1:2 cudaLaunchKernelExC:3:719 cudaLaunchKernelExC:6:-1 cudaEventQuery:100:700)

# Each damages every n-th chunk that the simulated nvCOMP decodes.
simulated_nvcomp_faults=(status:7 size:5 status:1 beyond:9)

simulated_cufile_faults=(cuFileDriverOpen:1:5001 cuFileHandleRegister:1:5008 cuFileBufRegister:1:5013
    cuFileRead:2:-5010 cuFileRead:2:-1)
simulated_direct_cufile_faults=("${simulated_cufile_faults[@]}" cuFileRead:3:-5010)

# Arguments: folder of the simulation, then the arguments of run_gpu_tests. simulated_seeds names other seeds.
run_simulated_gpu_tests() {
    local seed fault
    for seed in ${simulated_seeds:-0 $RANDOM}; do
        SIMULATED_CUDA_SEED="$seed" start_one_of_two run_simulated "seed $seed" "$@"
    done
    for fault in "${simulated_faults[@]}"; do
        SIMULATED_CUDA_FAULT="$fault" gpu_test_tag=fault gpu_test_classes=LostDeviceTest start_one_of_two run_simulated "fault $fault" "$@"
    done
    for fault in "${simulated_engine_faults[@]}"; do
        SIMULATED_CUDA_FAULT="$fault" gpu_test_tag=engine-fault gpu_test_classes=LostDeviceReadTest start_one_of_two run_simulated "engine, fault $fault" "$@"
    done
    for fault in "${simulated_mapping_faults[@]}"; do
        SIMULATED_CUDA_FAULT="$fault" gpu_test_tag=mapping-fault gpu_test_classes=MappedReadFaultTest start_one_of_two run_simulated "mapped files, fault $fault" "$@"
    done
    for fault in "${simulated_direct_faults[@]}"; do
        SIMULATED_CUDA_FAULT="$fault" gpu_test_tag=engine-fault gpu_test_classes=DirectReadFaultTest start_one_of_two run_simulated "direct reads, fault $fault" "$@"
    done
    for fault in "${simulated_nvcomp_faults[@]}"; do
        SIMULATED_NVCOMP_FAULT="$fault" gpu_test_tag=engine-fault gpu_test_classes=LostDeviceReadTest start_one_of_two run_simulated "engine, fault $fault" "$@"
    done
    for fault in "${simulated_cufile_faults[@]}"; do # A separate process for each class, because a process has one fault.
        SIMULATED_CUFILE_FAULT="$fault" gpu_test_tag=cufile-fault gpu_test_classes=GdsFaultTest start_one_of_two run_simulated "fault $fault" "$@"
    done
    for fault in "${simulated_direct_cufile_faults[@]}"; do
        SIMULATED_CUFILE_FAULT="$fault" gpu_test_tag=cufile-fault gpu_test_classes=DirectReadFaultTest start_one_of_two run_simulated "direct reads, fault $fault" "$@"
    done
    wait_for_all
}
