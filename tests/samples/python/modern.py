"""Newer syntax."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

type Pair[T] = tuple[T, T]
type Handler = Callable[[bytes], None]

LIMITS: dict[str, int] = {"low": 1, "high": 9}
double = lambda n: n * 2  # noqa: E731


class Box[T: (int, str)]:
    """Holds one thing."""

    __slots__ = ("item",)
    __match_args__ = ("item",)

    def __init__(self, item: T, /, *, label: str = "box") -> None:
        self.item = item

    # A comment right above a decorator.
    @property
    # A comment between.
    def size(self) -> int:
        return len(str(self.item))

    @size.setter
    def size(self, value: int) -> None:
        raise AttributeError(value)

    @staticmethod
    async def opened(count: int) -> AsyncIterator[Box[int]]:
        async with asyncio.timeout(1):
            async for n in numbers(count):
                yield Box(n)


def weigh(thing: object) -> int:
    match thing:
        case Box(item) if item:
            return 1
        case {"weight": int(weight), **rest} if not rest:
            # A comment in a case.
            return weight
        case [first, *_, last]:
            return weigh(first) + weigh(last)
        case "nothing" | None:
            return 0
        case _:
            raise TypeError(thing)


async def numbers(count: int) -> AsyncIterator[int]:
    while (left := count) > 0:
        yield left
        count -= 1
    else:
        print(f"{count!r:>{10}} is {'done' if not count else f"{count} to go"}")


def decorated_inside(n):
    @double
    def inner(x):
        def innermost():
            nonlocal n
            n = x
            return n

        return innermost()

    try:
        return inner(n)
    except* (ValueError, KeyError) as group:
        for error in group.exceptions: print(error); del error
    finally:
        n = [
            (a, b)
            for a in range(n) if a
            for b in range(a)
        ]


if __name__ == "__main__":
    asyncio.run(main := decorated_inside(3))
elif LIMITS:
    pass
else:
    weigh(Box(1))
