"""Packages by name and version -> source files. Two sets share no package: choices are made on ``tune``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from benchmarks.fetch_corpus import Package, describe, fetch, is_current

from .store import read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = ("python", "typescript", "go", "java", "rust")
WHOLE = 100.0
"""Megabytes: more than any of the packages, which are taken whole."""
MODULES = ("openjdk-17-source",)
"""Packages that hold many; their folders are packages here."""

_REACT = tuple(
    f"ReactAndroid/src/main/java/com/facebook/react/{part}" for part in ("bridge", "modules", "uimanager")
)
"""Three of its Java packages; all of them are as large as the other languages together."""

SETS: dict[str, tuple[Package, ...]] = {
    "tune": (
        Package("python", "pypi", "Scrapy", "2.11.2", WHOLE),
        Package("python", "pypi", "Werkzeug", "3.1.3", WHOLE),
        Package("typescript", "npm", "xterm", "5.3.0", WHOLE, ("src",)),
        Package("typescript", "npm", "rxjs", "7.8.1", WHOLE, ("src",)),
        Package("go", "debian", "golang-github-go-git-go-git-dev", "5.4.2-3", WHOLE),
        Package("go", "debian", "golang-github-yuin-goldmark-dev", "1.5.4-1", WHOLE),
        Package(
            "java",
            "debian",
            "openjdk-17-source",
            "17.0.19+10-1~deb12u2",
            WHOLE,
            ("java.net.http", "java.logging"),
        ),
        Package("rust", "debian", "librust-clap-dev", "4.0.32-1", WHOLE),
        Package("rust", "debian", "librust-hyper-dev", "0.14.19-1", WHOLE),
    ),
    "report": (
        Package("python", "pypi", "celery", "5.4.0", WHOLE),
        Package("python", "pypi", "trio", "0.27.0", WHOLE),
        Package("typescript", "npm", "ethers", "6.13.4", WHOLE, ("src.ts",)),
        Package("typescript", "npm", "puppeteer-core", "23.6.0", WHOLE, ("src",)),
        Package("go", "debian", "golang-github-miekg-dns-dev", "1.1.50-2", WHOLE),
        Package("go", "debian", "golang-github-valyala-fasthttp-dev", "1:1.31.0-4", WHOLE),
        Package("go", "debian", "golang-github-nats-io-go-nats-dev", "1.22.1-1", WHOLE),
        Package("java", "npm", "react-native", "0.74.5", WHOLE, _REACT),
        Package("java", "npm", "@capacitor/android", "6.1.2", WHOLE),
        Package("java", "npm", "cordova-android", "13.0.0", WHOLE, ("framework",)),
        Package("rust", "debian", "librust-chrono-dev", "0.4.23-2", WHOLE),
        Package("rust", "debian", "librust-image-dev", "0.24.3-1", WHOLE),
        Package("rust", "debian", "librust-rusqlite-dev", "0.28.0-4", WHOLE),
    ),
}

_TEST_FOLDER = re.compile(
    r"tests?|__tests__|testdata|testutil|specs?|fixtures|mocks|bench(es|marks?)?|_?examples?|tutorials?|vendor"
)
_TEST_FILE = re.compile(r"^(test|tests|conftest)$|^test_|_tests?$|\.(test|spec|bench)$|Tests?$|^bench_")
_GENERATED = re.compile(r"DO NOT EDIT|@generated|Code generated|automatically generated|auto-generated", re.I)
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
LONGEST_LINE = 5_000
"""Characters; a file with a longer line is data or a bundle."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a package."""

    language: str
    package: str
    """The package's name as its registry has it; a search is made in one package."""
    path: str
    """Below the package, as a repository would have it."""
    text: str


def is_test(path: str) -> bool:
    """Tell whether a path is that of a test, a benchmark or an example."""
    pure = PurePosixPath(path)
    stem = pure.name[: -len(pure.suffix)] if pure.suffix else pure.name
    is_inside = any(_TEST_FOLDER.fullmatch(folder) for folder in pure.parts[:-1])
    return is_inside or _TEST_FILE.search(stem) is not None


def is_left_out(path: str, text: str) -> bool:
    """Tell whether a file is no source that people wrote and search: tests, declarations, generated code."""
    if is_test(path) or path.endswith(_DECLARATIONS) or _GENERATED.search(text[:2_000]):
        return True
    return any(len(line) > LONGEST_LINE for line in text.splitlines())


def relative(paths: list[str]) -> dict[str, str]:
    """Shorten the paths of a package to what a repository has: the common folders go, but for the last."""
    common = os.path.commonpath([str(PurePosixPath(path).parent) for path in paths])
    start = str(PurePosixPath(common).parent) if common else "."
    return {path: os.path.relpath(path, start) for path in paths}


def fetch_set(name: str, folder: Path, languages: tuple[str, ...]) -> list[dict[str, object]]:
    """Download what is missing of a set and return the manifest's entries."""
    manifest = folder / "manifest.json"
    known = {entry["name"]: entry for entry in read_json(manifest, [])}
    for package in SETS[name]:
        if package.language not in languages:
            continue
        if not is_current(package, known.get(package.name), folder):
            known[package.name] = fetch(package, folder)
            print(describe(known[package.name]), flush=True)
            write_json(manifest, list(known.values()))
    return [known[package.name] for package in SETS[name] if package.language in languages]


def read_set(name: str, folder: Path, languages: tuple[str, ...] = LANGUAGES) -> list[SourceFile]:
    """Return the source files of a set, in a fixed order."""
    files: list[SourceFile] = []
    for entry in fetch_set(name, folder, languages):
        root = folder / str(entry["folder"])
        texts: dict[str, str] = {}
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            try:
                text = path.read_bytes().decode()
            except UnicodeDecodeError:
                continue  # every chunker here takes text
            shown = path.relative_to(root).as_posix()
            if text.strip() and not is_left_out(shown, text):
                texts[shown] = text
        files += list(_repositories(str(entry["language"]), str(entry["name"]), texts))
    return files


def _repositories(language: str, name: str, texts: dict[str, str]) -> Iterator[SourceFile]:
    """Yield the files of a package; the modules of a Java library are searched one by one, as packages."""
    modules = {path: path.partition("/")[0] if name in MODULES else "" for path in texts}
    for module in sorted(set(modules.values())):
        own = [path for path in texts if modules[path] == module]
        short = relative(own)
        package = f"{name}/{module}".rstrip("/")
        yield from (SourceFile(language, package, short[path], texts[path]) for path in own)
