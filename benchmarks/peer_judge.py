"""Judges chunks of which only the texts are known, by the judge of ``check_corpus.py``.

Blank space does not exist for that judge, so a cut is found by counting: it stands behind as many
non-whitespace characters as the chunks before it have. That needs all of the file's text in the chunks, in
order, and nothing else, but blank space may be lost. What fits is measured in the chunker's own unit.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from operator import mul
from typing import TYPE_CHECKING

import check_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sources import Source

NO_BLANKS = dict.fromkeys(range(0x21))
IS_CONTINUATION = bytes(0x80 <= byte < 0xC0 for byte in range(256))


def without_blanks(text: str) -> str:
    return text.removeprefix("\ufeff").translate(NO_BLANKS)


def nws(text: str) -> int:
    return len(without_blanks(text))


SIZES: dict[str, Callable[[str], int]] = {
    "nws": nws,
    "characters": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
}


class Measured(check_corpus.Source):
    """A source whose blank space counts, with the character behind it: nothing fits by that that does not."""

    def __init__(self, data: bytes, unit: str) -> None:
        super().__init__(data)
        if unit == "nws":
            return
        weights = (unit == "bytes" or not is_inside for is_inside in data.translate(IS_CONTINUATION))
        ends = map(mul, accumulate(weights), data.translate(check_corpus.IS_NWS))
        self.nws = array("I", accumulate(ends, max, initial=0))


@dataclass(slots=True)
class Quality:
    """The sums over the files of a chunker."""

    files: int = 0
    failed: int = 0
    exact: int = 0
    """Files whose joined chunks are the file."""
    whole: int = 0
    """Files that lack blank space at most."""
    judged: int = 0
    """Those of them without syntax errors."""
    chunks: int = 0
    over: int = 0
    cuts: int = 0
    led: int = 0
    mid_line: int = 0
    fills: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def share(self, kind: str) -> float:
        """Return the share of the cuts, or of what has a lead, that is of a kind."""
        return self.kinds[kind] / max(self.led if kind == "parted" else self.cuts, 1)


def ranges_of(plain: check_corpus.Source, texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the byte ranges of chunks that have all of a source but blank space."""
    counts = list(accumulate(map(nws, texts), initial=0))
    starts = [0, *(plain.first(count) for count in counts[1:-1]), len(plain.data)]
    return list(pairwise(starts))


def add(quality: Quality, source: Source, made: Sequence[str] | None, unit: str, limit: int) -> None:
    """Judge one file; None is an error."""
    quality.files += 1
    if made is None:
        quality.failed += 1
        return
    measure = SIZES[unit]
    quality.chunks += len(made)
    quality.over += sum(measure(text) > limit for text in made)
    quality.exact += "".join(made) == source.text
    texts = [text for text in made if nws(text)]
    if "".join(map(without_blanks, texts)) != without_blanks(source.text):
        return
    quality.whole += 1
    if measure(source.text) > limit:
        quality.fills += [measure(text) / limit for text in texts]
    plain = check_corpus.Source(source.data)
    ranges = ranges_of(plain, texts)
    _, syntax = check_corpus.BY_EXTENSION[source.path.suffix.lower()]
    verdict = check_corpus.judge_tree(source.data, syntax, ranges, limit, lambda data: Measured(data, unit))
    if verdict.is_broken:
        return
    quality.judged += 1
    quality.cuts += len(ranges) - 1
    quality.led += verdict.led
    quality.mid_line += sum(not plain.begins_line(start) for start, _ in ranges[1:])
    quality.kinds.update(finding.kind for finding in verdict.findings)
