"""Functions and calls -> questions with known answers, and the corpus that they are asked of.

``doc``     a function's doc comment is the question; it is cut from the corpus
``xref``    ten lines around a call are the question; the file that calls is hidden
``prefix``  the twenty lines that end with a function's header are question and answer: leaky
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from .peers import nws
from .store import digest
from .syntax import Function, Outline, outline
from .words import Run, question, runs, share_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .recipe import SourceFile

KINDS = ("doc", "xref", "prefix")
PER_LANGUAGE = 150
FEWEST_LINES = 5
SIZES = (100, 1200)
"""NWS of a function that is asked for: no crumbs, and at most twice the smaller of the chunk sizes."""
COPIED_QUESTION = 0.2
"""The share of a question's runs of words that may stand elsewhere in its package."""
COPIED_FUNCTION = 0.4
"""The same of a function that is asked for."""
SHORTEST_NAME = 5
LINES_BEFORE, LINES_AFTER = 5, 4
PREFIX_LINES = 20


@dataclass(frozen=True, slots=True)
class Task:
    """A question, and the lines that answer it. Lines count from 0, ends are inclusive."""

    kind: str
    language: str
    package: str
    path: str
    name: str
    first_line: int
    last_line: int
    query: str
    hidden: str = ""
    """A file that is not searched."""


@dataclass(frozen=True, slots=True)
class Place:
    """A function in its file."""

    file: SourceFile
    function: Function


@dataclass(frozen=True, slots=True)
class Bench:
    """Tasks and the corpus they are asked of."""

    files: tuple[SourceFile, ...]
    tasks: tuple[Task, ...]
    digest: str
    """Of both."""
    corpus: str
    """A digest of the files alone."""
    counts: dict[str, dict[str, int]]
    """Kind -> language -> candidates that were found, before the quota."""


def _lines(file: SourceFile) -> list[str]:
    return file.text.split("\n")


def _without_doc(place: Place) -> str:
    """Return the function's text; a docstring stands inside of it."""
    lines, function = _lines(place.file), place.function
    kept = range(function.first_line, function.last_line + 1)
    doc = function.doc_lines or (-1, -2)
    return "\n".join(lines[row] for row in kept if not doc[0] <= row <= doc[1])


def _order(place: Place) -> bytes:
    """A fixed order that is no order: by hash."""
    function = place.function
    key = f"{place.file.package}\0{place.file.path}\0{function.name}\0{function.header_line}"
    return hashlib.sha256(key.encode()).digest()


def _spread(places: Iterable[Place], limit: int) -> list[Place]:
    """Choose up to a number of functions, from each package in turn."""
    by_package: dict[str, list[Place]] = defaultdict(list)
    for place in sorted(places, key=_order):
        by_package[place.file.package].append(place)
    turns = sorted((rank, package) for package, own in by_package.items() for rank in range(len(own)))
    return [by_package[package][rank] for rank, package in turns[:limit]]


class Repository:
    """The files of one package with what they define, call and say."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = files
        self.outlines: dict[str, Outline] = {file.path: outline(file) for file in files}
        self.defined = Counter(name for one in self.outlines.values() for name in one.defined)
        self.called = {name for one in self.outlines.values() for _, name, _ in one.calls}
        self.runs: Counter[Run] = Counter()
        for file in files:
            self.runs.update(runs(file.text))

    def places(self) -> Iterator[Place]:
        """Yield the functions that may be asked for."""
        for file in self.files:
            own = Counter(self.outlines[file.path].defined)
            for function in self.outlines[file.path].functions:
                place = Place(file, function)
                text = _without_doc(place)
                fits = SIZES[0] <= nws(text) <= SIZES[1] and text.count("\n") + 1 >= FEWEST_LINES
                if fits and own[function.name] == 1 and not self.is_copied(text):
                    yield place

    def is_copied(self, text: str) -> bool:
        """Tell whether much of a text stands in this package more than once."""
        return share_elsewhere(text, text, self.runs) > COPIED_FUNCTION


def packages_of(files: Iterable[SourceFile]) -> dict[tuple[str, str], Repository]:
    """Read all packages: (language, name) -> package."""
    grouped: dict[tuple[str, str], list[SourceFile]] = defaultdict(list)
    for file in files:
        grouped[file.language, file.package].append(file)
    return {key: Repository(own) for key, own in grouped.items()}


# --- doc ---


def _doc_question(place: Place, package: Repository) -> str | None:
    function = place.function
    asked = question(function.doc, function.name) if function.doc_lines else None
    if asked is None or share_elsewhere(asked, function.doc, package.runs) > COPIED_QUESTION:
        return None
    return asked


def _cut(file: SourceFile, gaps: Iterable[tuple[int, int]]) -> SourceFile:
    gone = {row for first, last in gaps for row in range(first, last + 1)}
    return replace(file, text="\n".join(line for row, line in enumerate(_lines(file)) if row not in gone))


def _doc_task(place: Place, asked: str, gaps: Sequence[tuple[int, int]]) -> Task:
    function = place.function
    doc = function.doc_lines or (0, -1)
    above = sum(last + 1 - first for first, last in gaps if last < function.first_line)
    inside = doc[1] + 1 - doc[0] if doc[0] >= function.first_line else 0
    first, last = function.first_line - above, function.last_line - above - inside
    file = place.file
    return Task("doc", file.language, file.package, file.path, function.name, first, last, asked)


def doc_tasks(
    packages: dict[tuple[str, str], Repository],
) -> tuple[list[SourceFile], list[Task], Counter[str]]:
    """Choose functions by their doc comments; return the corpus without those, and the tasks."""
    asked: dict[Place, str] = {}
    found: dict[str, list[Place]] = defaultdict(list)
    for (language, _), package in packages.items():
        for place in package.places():
            text = _doc_question(place, package)
            if text is not None:
                asked[place] = text
                found[language].append(place)
    gaps: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    chosen = [place for places in found.values() for place in _spread(places, PER_LANGUAGE)]
    for place in chosen:
        if place.function.doc_lines:
            gaps[place.file.package, place.file.path].append(place.function.doc_lines)
    files = [_cut(file, gaps[file.package, file.path]) for own in packages.values() for file in own.files]
    tasks = [_doc_task(place, asked[place], gaps[place.file.package, place.file.path]) for place in chosen]
    return files, tasks, Counter({language: len(places) for language, places in found.items()})


# --- xref ---


def _window(file: SourceFile, row: int) -> str:
    return "\n".join(_lines(file)[max(0, row - LINES_BEFORE) : row + LINES_AFTER + 1])


def _callers(package: Repository) -> dict[tuple[str, bool], list[tuple[SourceFile, int]]]:
    """(name, whether a method may be meant) -> calls."""
    callers: dict[tuple[str, bool], list[tuple[SourceFile, int]]] = defaultdict(list)
    for file in package.files:
        for row, name, called in package.outlines[file.path].calls:
            for is_method in (False, True):
                if called in ("either", "method" if is_method else "function"):
                    callers[name, is_method].append((file, row))
    return callers


def _xref_question(
    place: Place, package: Repository, callers: Sequence[tuple[SourceFile, int]]
) -> Task | None:
    """Take the first call, in an order by hash, from another file whose lines are nobody's copy."""
    file, function = place.file, place.function

    def order(call: tuple[SourceFile, int]) -> bytes:
        return hashlib.sha256(f"{call[0].path}\0{call[1]}\0{function.name}".encode()).digest()

    for caller, row in sorted(callers, key=order):
        asked = _window(caller, row)
        if caller.path == file.path or share_elsewhere(asked, caller.text, package.runs) > COPIED_QUESTION:
            continue
        lines = (function.first_line, function.last_line)
        return Task(
            "xref", file.language, file.package, file.path, function.name, *lines, asked, hidden=caller.path
        )
    return None


def xref_tasks(packages: dict[tuple[str, str], Repository]) -> tuple[list[Task], Counter[str]]:
    """Choose functions that their package defines once under this name and another file calls.

    A name that another package of the language calls too is one of the language's library, or of all people.
    """
    tasks: dict[Place, Task] = {}
    for (language, name), package in packages.items():
        others = [own for key, own in packages.items() if key[0] == language and key[1] != name]
        common = set().union(*(own.called for own in others))
        callers = _callers(package)
        for place in package.places():
            called = place.function.name
            if len(called) < SHORTEST_NAME or package.defined[called] > 1 or called in common:
                continue
            task = _xref_question(place, package, callers.get((called, place.function.is_method), ()))
            if task is not None:
                tasks[place] = task
    return _chosen(tasks)


def _chosen(tasks: dict[Place, Task]) -> tuple[list[Task], Counter[str]]:
    found: dict[str, list[Place]] = defaultdict(list)
    for place in tasks:
        found[place.file.language].append(place)
    chosen = [tasks[place] for places in found.values() for place in _spread(places, PER_LANGUAGE)]
    return chosen, Counter({language: len(places) for language, places in found.items()})


# --- prefix ---


def prefix_tasks(packages: dict[tuple[str, str], Repository]) -> tuple[list[Task], Counter[str]]:
    """Take the lines that end with a function's header, as question and as answer."""
    tasks: dict[Place, Task] = {}
    for package in packages.values():
        for place in package.places():
            file, last = place.file, place.function.header_line
            first = last - PREFIX_LINES + 1
            if first >= 0:
                text = "\n".join(_lines(file)[first : last + 1])
                name = place.function.name
                tasks[place] = Task("prefix", file.language, file.package, file.path, name, first, last, text)
    return _chosen(tasks)


def make_bench(files: Sequence[SourceFile]) -> Bench:
    """Make the tasks of a set, the same on every machine."""
    corpus, docs, doc_counts = doc_tasks(packages_of(files))
    packages = packages_of(corpus)
    xrefs, xref_counts = xref_tasks(packages)
    prefixes, prefix_counts = prefix_tasks(packages)
    tasks = tuple(docs + xrefs + prefixes)
    texts = [[file.language, file.package, file.path, digest(file.text)] for file in corpus]
    counts = {"doc": doc_counts, "xref": xref_counts, "prefix": prefix_counts}
    return Bench(
        tuple(corpus),
        tasks,
        digest([texts, [asdict(task) for task in tasks]]),
        digest(texts),
        {kind: dict(own) for kind, own in counts.items()},
    )
