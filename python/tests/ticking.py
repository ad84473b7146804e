"""Shows that an event loop goes on."""

import asyncio


async def ticks_beside(work):
    """Returns how often another task runs while a coroutine does."""
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    await work
    ticking.cancel()
    return ticks
