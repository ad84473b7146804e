"""Java in the process of Python: starts late, leaves signals alone, and ends with it; never hangs."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import zarr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays") / "a.zarr"
    zarr.create_array(folder, shape=(64, 64), dtype="f4", chunks=(16, 16))[...] = np.arange(4096).reshape(64, 64)
    return folder


READ = """
import sys, zarr_engine as ze
def read():
    return float(ze.open(sys.argv[1])[...].sum())
"""
SUM = str(float(np.arange(4096).sum()))


def test_import_starts_nothing(run):
    assert run("import zarr_engine, sys, threading; print('jpype' in sys.modules, threading.active_count())") == "False 1\n"


def test_ends_with_arrays_in_use(run, folder):
    assert run(READ + "a = ze.open(sys.argv[1])[...]; print(read())", folder) == SUM + "\n"


def test_ends_after_an_error(run, folder):
    run(READ + "read(); sys.exit(3)", folder, expected=3)


def test_prints_nothing_of_its_own(folder, tmp_path):
    done = subprocess.run([sys.executable, "-I", "-c", READ + "read()", folder], capture_output=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_refuses_after_fork(run, folder):
    program = READ + """
import gc, os
kept = ze.open(sys.argv[1]); elements = kept[...]; read()
if os.fork() == 0:
    del elements
    gc.collect()
    for use in (read, lambda: kept[0], lambda: kept.read(device="cuda:0")):
        try:
            use()
        except ze.ForkError as e:
            assert "spawn" in str(e)
        else:
            os._exit(4)
    sys.exit(7)  # with everything that Python does at its end
assert os.waitstatus_to_exitcode(os.wait()[1]) == 7
print(read())
"""
    assert run(program, folder) == SUM + "\n"


def test_refuses_in_forked_workers(run, folder):
    program = READ + """
import multiprocessing
if __name__ == "__main__":
    read()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        try:
            pool.apply(read)
        except RuntimeError as e:
            print(type(e).__name__)
"""
    assert run(program, folder) == "ForkError\n"


def test_fork_before_the_first_use(run, folder):
    program = READ + """
import os
if os.fork() == 0:
    print(read(), flush=True)
    sys.exit()
os.wait()
print(read())
"""
    assert run(program, folder) == f"{SUM}\n{SUM}\n"


def test_spawn(run, folder, tmp_path):
    (tmp_path / "program.py").write_text(READ + """
import multiprocessing, operator
if __name__ == "__main__":
    array = ze.open(sys.argv[1])
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.apply(operator.getitem, (array, (0, 5))))
""")
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py", folder], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.stdout == "5.0\n", done.stderr


def test_threads(run, folder):
    """Also threads that come and go: each is known to Java only while it lives."""
    program = READ + """
import concurrent.futures, threading
read()
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    print(set(pool.map(lambda _: read(), range(500))))
for _ in range(200):
    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
import jpype
print(jpype.JClass("java.lang.Thread").activeCount() < 100)
"""
    assert run(program, folder) == "{%s}\nTrue\n" % SUM


def test_first_use_in_many_threads_at_once(run, folder):
    program = READ + """
import concurrent.futures
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    print(set(pool.map(lambda _: read(), range(8))))
"""
    assert run(program, folder) == "{%s}\n" % SUM


@pytest.mark.parametrize("number, code", [(signal.SIGINT, -signal.SIGINT), (signal.SIGTERM, -signal.SIGTERM)])
def test_signals_end_python_as_always(folder, tmp_path, number, code):
    program = READ + "import time; read(); print('ready', flush=True); time.sleep(30)"
    process = subprocess.Popen([sys.executable, "-I", "-c", program, folder], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == code
    assert ("KeyboardInterrupt" in errors) == (number == signal.SIGINT)


def test_ctrl_c_ends_a_long_read(run, tmp_path):
    """A sparse array of 2 TB reads as zeros, for minutes, into 8 GB that it is never given."""
    folder = tmp_path / "big.zarr"
    zarr.create_array(folder, shape=(1 << 41,), dtype="u1", chunks=(1 << 12,))
    program = """
import os, signal, sys, threading, time
import numpy as np, zarr_engine as ze
array = ze.open(sys.argv[1])
array[:10]
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    for _ in range(1000):
        array[: 1 << 28]
except KeyboardInterrupt:
    print(time.monotonic() - begin < 10, array[:3].tolist())
from zarr_engine import _java
print(_java.call("inUse")[1:])
"""
    assert run(program, folder) == "True [0, 0, 0]\n[0, 0]\n"


def test_memory_comes_back(run, folder):
    program = READ + """
import gc, resource
array = ze.open(sys.argv[1])
for _ in range(3000):
    array[...][3:5, ::2]
rows = array[...][3:5]
view = rows.T
del rows
gc.collect()
from zarr_engine import _java
print(_java.call("inUse")[:], view.sum())
del view
print(_java.call("inUse")[:])
array.close()
try:
    array[0]
except ze.ClosedError as e:
    assert "a.zarr" in str(e)
    print(_java.call("inUse")[:])
"""
    total = float(np.arange(4096).reshape(64, 64)[3:5].sum())
    assert run(program, folder) == f"[1, 1, 0] {total}\n[1, 0, 0]\n[0, 0, 0]\n"


def test_many_steps_of_a_loader_keep_no_memory(run, folder):
    """What a step kept would fill Java's heap, which is small; or it would show in Python, which does not look for
    cycles here, as some training loops want it, in mapped or in resident memory."""
    program = """
import gc, os, sys, zarr_engine as ze
from zarr_engine import _java
gc.disable()
loader = ze.Loader(
    {"x": ze.open(sys.argv[1])}, ze.samplers.sliding((16, 16)), batch=2, shuffle=1,
    transforms={"x": ze.Transform().clip(0, 1)},
)
def take(steps):
    while steps > 0:
        steps -= sum(1 for batch in loader)
def used():
    with open("/proc/self/statm") as memory, open("/proc/self/maps") as maps:
        resident = int(memory.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return {"objects": sys.getallocatedblocks(), "maps": sum(1 for _ in maps), "bytes": resident}
most = {"objects": 1_000, "maps": 100, "bytes": 8 << 20}
take(5_000)
before = used()
take(int(sys.argv[2]))
kept = {name: count - before[name] for name, count in used().items()}
loader.close()
print({name: count for name, count in kept.items() if count > most[name]}, _java.call("inUse")[:])
"""
    environment = os.environ | {"ZARR_ENGINE_JAVA_OPTIONS": "-Xmx24m"}
    assert run(program, folder, 20_000, env=environment) == "{} [1, 0, 0]\n"


def test_options(run, folder):
    program = READ + """
import numpy
for name, value, kind in (("workers", -1, ValueError), ("budget", 1.5, TypeError), ("nice", "x", TypeError)):
    try:
        ze.configure(**{name: value})
    except kind as e:
        assert name in str(e), e
    else:
        raise AssertionError(name)
ze.configure(budget=numpy.int64(64 << 20), workers=numpy.uint8(3))
read()
from zarr_engine import _java
print(_java.call("describe"))
try:
    ze.configure(workers=1)
except RuntimeError as e:
    print("before the first use" in str(e))
"""
    assert run(program, folder).startswith("engine of 3 workers, 67108864 bytes")


def test_disk_cache(run, folder, tmp_path):
    """Fault: the option or the variable does not reach the engine."""
    for name, program, environment in (
        ("a", "ze.configure(disk_cache=sys.argv[2] + ':1G')\nread()", {}),
        ("b", "read()", {"ZARR_ENGINE_DISK_CACHE": f"{tmp_path / 'b'}:1G"}),
    ):
        run(READ + program, folder, tmp_path / name, env={**os.environ, **environment})
        assert (tmp_path / name / "v1").is_dir()


def test_options_that_are_refused(run, folder):
    """Java runs by then; a second attempt finds it."""
    program = READ + """
ze.configure(budget=1 << 20)
try:
    read()
except ValueError as e:
    print("budget" in str(e))
ze.configure(budget=0)
print(read())
"""
    assert run(program, folder) == f"True\n{SUM}\n"


def test_names_outside_ascii_in_the_c_locale(run, tmp_path, folder):
    there = tmp_path / "größe-数据.zarr"
    folder.rename(there)
    try:
        environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"}
        assert run(READ + "print(read())", there, env=environment) == SUM + "\n"
    finally:
        there.rename(folder)


def test_refuses_beside_another_java(run, folder):
    program = READ + """
import jpype, pathlib
jpype.startJVM("-Xrs", jvmpath=str(pathlib.Path(ze.__file__).parent / "java/lib/server/libjvm.so"))
try:
    read()
except RuntimeError as e:
    print("its own" in str(e))
"""
    assert run(program, folder) == "True\n"


def test_workers_yield_and_the_main_thread_does_not(run, folder):
    """Fails if a training loop has to share its core with the workers as an equal."""
    program = READ + """
import os, pathlib
ze.configure(nice=7)
read()
tasks = [int(task.name) for task in pathlib.Path("/proc/self/task").iterdir()]
niced = [t for t in tasks if os.getpriority(os.PRIO_PROCESS, t) == os.getpriority(os.PRIO_PROCESS, os.getpid()) + 7]
print(os.getpriority(os.PRIO_PROCESS, os.getpid()) < 7, len(niced) == os.cpu_count())
"""
    assert run(program, folder) == "True True\n"


@pytest.mark.parametrize("processes", [1, 2, 1000])
def test_processes_of_torchrun_share_the_cores(run, folder, processes):
    cores = os.cpu_count()
    expected = cores if processes == 1 else max(1, cores * 3 // (4 * processes))
    program = READ + "read(); print(ze._java.call('describe'))"
    environment = {**os.environ, "LOCAL_WORLD_SIZE": str(processes)}
    assert run(program, folder, env=environment).startswith(f"engine of {expected} workers, {1 << 30} bytes")
