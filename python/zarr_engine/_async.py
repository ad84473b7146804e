"""Reads that are awaited: one thread waits in Java for all of them, and tells their event loops."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from typing import Any, Callable

from . import _java

_lock = threading.Lock()
_waiting: dict[int, Callable[[], None]] = {}  # what to do when a read ends, by its ticket
_thread: threading.Thread | None = None


async def finished(begin: Callable[[], int], keeps: Any) -> list[int]:
    """Begins a read that tells its end, and returns its result. If the task is cancelled, so is the read; what it
    writes to is kept until it has ended."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[int]] = loop.create_future()
    _java.entry()  # Before the lock, which a forked child may find locked: there this raises.
    with _lock:  # The thread takes the lock too, so it knows the ticket before its end.
        _run_thread()
        ticket = begin()
        _waiting[ticket] = lambda: _end(ticket, loop, future, keeps)
    try:
        return await future
    except asyncio.CancelledError:
        _java.cancel(ticket)
        raise


def begun(begin: Callable[[], int]) -> concurrent.futures.Future[list[int]]:
    """Begins a read that tells its end; its result may be awaited by asyncio.wrap_future."""
    future: concurrent.futures.Future[list[int]] = concurrent.futures.Future()
    future.set_running_or_notify_cancel()  # nobody can cancel it
    _java.entry()
    with _lock:
        _run_thread()
        ticket = begin()
        _waiting[ticket] = lambda: _fulfil(ticket, future)
    return future


async def ended(begun: concurrent.futures.Future[list[int]]) -> None:
    """Waits for the end of what begun() has begun, which goes on if the task is cancelled. Raises nothing of it: the
    event loop would complain of what nobody asks for."""
    loop = asyncio.get_running_loop()
    end: asyncio.Future[None] = loop.create_future()

    def tell(_: Any) -> None:
        with contextlib.suppress(RuntimeError):  # The loop is closed.
            loop.call_soon_threadsafe(lambda: end.done() or end.set_result(None))

    begun.add_done_callback(tell)
    await end


def _fulfil(ticket: int, future: concurrent.futures.Future[list[int]]) -> None:
    try:
        future.set_result(_java.numbers("finish", ticket))
    except Exception as e:
        future.set_exception(e)


def _run_thread() -> None:
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_tell, name="zarr-engine-async", daemon=True)
        _thread.start()


def _tell() -> None:
    while True:
        for ticket in _java.numbers("ended"):
            if ticket == 0:
                return
            with _lock:
                end = _waiting.pop(ticket)
            end()


def _end(ticket: int, loop: asyncio.AbstractEventLoop, future: asyncio.Future[list[int]], _: Any) -> None:
    numbers: list[int] = []
    failure: BaseException | None = None
    try:
        numbers = _java.numbers("finish", ticket)
    except Exception as e:
        failure = e
    try:
        loop.call_soon_threadsafe(_set, future, numbers, failure)
    except RuntimeError:  # The loop is closed.
        _free(numbers)


def _set(future: asyncio.Future[list[int]], numbers: list[int], failure: BaseException | None) -> None:
    if future.cancelled():
        _free(numbers)
    elif failure is not None:
        future.set_exception(failure)
    else:
        future.set_result(numbers)


def _free(numbers: list[int]) -> None:
    if numbers and numbers[0]:
        _java.free(numbers[0])
