"""Fetches real source code in six languages, by name and version, from npm, PyPI and Debian.

The packages below are downloaded with their registries' own clients (``npm pack``, ``pip download``,
``apt-get download``; no root needed, but apt wants its lists: ``apt-get update``). Nothing of theirs is run.
What is kept goes to ``FOLDER/<language>/<package>-<version>/``, and ``FOLDER/manifest.json`` says what was
taken: version, SHA-256 of the archive, number of files and bytes. A Debian archive keeps only its newest
versions; when the one named here is gone, the one that is served is taken, and the manifest says so.

Kept of a package are the files of its language in the folders named here, but for
  - minified files: ``*.min.js``, ``*.min.mjs``, ``*.min.cjs``;
  - declaration bundles: ``*.d.ts``, ``*.d.mts``, ``*.d.cts`` of more than 1 MB;
  - what goes beyond the package's budget of megabytes: files are taken in the order of the SHA-256 of their
    path, so that the part taken is the same everywhere and a fair sample.

Run again, it fetches only what is missing or changed.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXTENSIONS = {
    "typescript": (".ts", ".tsx", ".mts", ".cts"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "python": (".py", ".pyi", ".pyw"),
    "rust": (".rs",),
    "go": (".go",),
    "java": (".java",),
}
MINIFIED = (".min.js", ".min.mjs", ".min.cjs")
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
LARGEST_DECLARATION = 1_000_000


@dataclass(frozen=True, slots=True)
class Package:
    """What to fetch, and which part of it to keep."""

    language: str
    registry: str
    name: str
    version: str
    megabytes: float
    folders: tuple[str, ...] = ("",)


PACKAGES = (
    Package("typescript", "npm", "rxjs", "7.8.1", 1, ("src",)),
    Package("typescript", "npm", "zod", "3.25.76", 1.5, ("src",)),
    Package("typescript", "npm", "@reduxjs/toolkit", "2.2.7", 1.5, ("src",)),
    Package("typescript", "npm", "@tanstack/react-query", "5.59.0", 0.5, ("src",)),
    Package("typescript", "npm", "@wordpress/components", "41.0.0", 1.5, ("src",)),
    Package("typescript", "npm", "effect", "3.9.1", 2, ("src",)),
    Package("javascript", "npm", "express", "4.21.0", 1, ("lib",)),
    Package("javascript", "npm", "lodash", "4.17.21", 1, ("lodash.js", "fp")),
    Package("javascript", "npm", "eslint", "9.12.0", 2, ("lib",)),
    Package("javascript", "npm", "webpack", "5.95.0", 1.5, ("lib",)),
    Package("javascript", "npm", "three", "0.169.0", 1.5, ("src",)),
    Package("javascript", "npm", "@wordpress/block-library", "11.1.0", 1, ("src",)),
    Package("python", "pypi", "Django", "5.1.2", 2.5),
    Package("python", "pypi", "SQLAlchemy", "2.0.36", 2),
    Package("python", "pypi", "networkx", "3.4.2", 1),
    Package("python", "pypi", "pydantic", "2.9.2", 1),
    Package("python", "pypi", "rich", "13.9.4", 1),
    Package("python", "pypi", "attrs", "24.2.0", 1),
    Package("rust", "debian", "librust-tokio-dev", "1.24.2-1", 2),
    Package("rust", "debian", "librust-syn-dev", "1.0.107-1", 1),
    Package("rust", "debian", "librust-clap-dev", "4.0.32-1", 1),
    Package("rust", "debian", "librust-rustls-dev", "0.20.8-4", 1),
    Package("rust", "debian", "librust-image-dev", "0.24.3-1", 1),
    Package("rust", "debian", "librust-itertools-dev", "0.10.3-1", 1),
    Package("rust", "debian", "librust-serde-dev", "1.0.152-2", 1),
    Package("go", "debian", "golang-golang-x-tools-dev", "1:0.5.0+ds-1", 2),
    Package("go", "debian", "golang-google-grpc-dev", "1.33.3-2", 1.5),
    Package("go", "debian", "golang-github-go-git-go-git-dev", "5.4.2-3", 1),
    Package("go", "debian", "golang-github-gin-gonic-gin-dev", "1.8.1-1", 1),
    Package("go", "debian", "golang-github-prometheus-client-golang-dev", "1.14.0-3", 1),
    Package(
        "java",
        "debian",
        "openjdk-17-source",
        "17.0.19+10-1~deb12u2",
        6,
        ("java.base/java/lang", "java.base/java/net", "java.base/java/util", "java.net.http"),
    ),
)


class FetchError(Exception):
    """A package can not be had; the message says why."""


def run(command: list[str], folder: Path) -> str:
    """Run a registry's client in a folder and return what it printed."""
    if shutil.which(command[0]) is None:
        raise FetchError(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise FetchError(f"{' '.join(command)} failed:\n{(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def only_file(folder: Path) -> Path:
    """Return the one archive that a client has put into an empty folder."""
    files = [path for path in folder.iterdir() if path.is_file()]
    if len(files) != 1:
        raise FetchError(f"expected one archive, found {sorted(path.name for path in files)}")
    return files[0]


def download_npm(package: Package, folder: Path) -> str:
    run(["npm", "pack", "--ignore-scripts", "--silent", f"{package.name}@{package.version}"], folder)
    return package.version


def download_pypi(package: Package, folder: Path) -> str:
    # Pure wheels hold the same source as an sdist, and getting one runs no build.
    pure = ["--only-binary", ":all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *pure]
    run([*pip, f"{package.name}=={package.version}"], folder)
    return package.version


def debian_versions(name: str, folder: Path) -> list[str]:
    """Return the versions that the archive serves, newest first."""
    lines = run(["apt-cache", "madison", name], folder).splitlines()
    return [line.split("|")[1].strip() for line in lines if line.count("|") >= 2]


def download_debian(package: Package, folder: Path) -> str:
    served = debian_versions(package.name, folder)
    if not served:
        raise FetchError(f"apt knows no package {package.name}: run 'apt-get update' first")
    version = package.version if package.version in served else served[0]
    run(["apt-get", "--quiet", "download", f"{package.name}={version}"], folder)
    return version


def tar_members(archive: tarfile.TarFile) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for member in archive:
        stream = archive.extractfile(member) if member.isfile() else None
        if stream is not None:
            yield member.name, stream.read


def zip_members(archive: zipfile.ZipFile) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for info in archive.infolist():
        if not info.is_dir():
            yield info.filename, lambda info=info: archive.read(info)  # type: ignore[misc]


def open_npm(path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield (path, read) of the files of an npm tarball, without its first folder, ``package``."""
    with tarfile.open(path) as archive:
        for name, read in tar_members(archive):
            yield name.partition("/")[2], read


def open_pypi(path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    with zipfile.ZipFile(path) as archive:
        yield from zip_members(archive)


def open_debian(path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield (path, read) of the files of a Debian package; Java's source is a zip in it."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(path)], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for name, read in tar_members(archive):
            if name.endswith("/src.zip"):
                with zipfile.ZipFile(io.BytesIO(read())) as inner:
                    yield from zip_members(inner)
            else:
                yield name.removeprefix("./"), read


DOWNLOAD = {"npm": download_npm, "pypi": download_pypi, "debian": download_debian}
OPEN = {"npm": open_npm, "pypi": open_pypi, "debian": open_debian}


def is_wanted(package: Package, name: str) -> bool:
    """Tell whether a path of an archive is source of the package's language, in one of its folders."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or name.endswith(MINIFIED):
        return False
    inside = any(folder == "" or path.is_relative_to(folder) for folder in package.folders)
    return inside and path.suffix.lower() in EXTENSIONS[package.language]


def select(package: Package, archive: Path) -> dict[str, bytes]:
    """Return the files to keep, path -> content, within the package's budget."""
    files = {name: read() for name, read in OPEN[package.registry](archive) if is_wanted(package, name)}
    kept: dict[str, bytes] = {}
    room = int(package.megabytes * 1_000_000)
    for name in sorted(files, key=lambda name: hashlib.sha256(name.encode()).digest()):
        size = len(files[name])
        if size > room or (name.endswith(DECLARATIONS) and size > LARGEST_DECLARATION):
            continue
        room -= size
        kept[name] = files[name]
    return kept


def write(files: dict[str, bytes], target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    for name, data in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def folder_of(package: Package, version: str) -> str:
    """Return the package's folder below the corpus."""
    name = f"{package.name}-{version}"
    return f"{package.language}/{name.replace('/', '-').replace(':', '-').lstrip('@')}"


def fetch(package: Package, corpus: Path) -> dict[str, Any]:
    """Download a package, keep its source, and return its entry of the manifest."""
    with tempfile.TemporaryDirectory() as temporary:
        version = DOWNLOAD[package.registry](package, Path(temporary))
        archive = only_file(Path(temporary))
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        files = select(package, archive)
    if not files:
        raise FetchError("the archive holds no file that is wanted")
    folder = folder_of(package, version)
    write(files, corpus / folder)
    return {
        "language": package.language,
        "registry": package.registry,
        "name": package.name,
        "wanted_version": package.version,
        "version": version,
        "archive_sha256": digest,
        "selection": [package.megabytes, *package.folders],
        "folder": folder,
        "files": len(files),
        "bytes": sum(map(len, files.values())),
    }


def is_current(package: Package, entry: dict[str, Any] | None, corpus: Path) -> bool:
    """Tell whether an earlier run has fetched just this, and it is still all there."""
    if entry is None or entry["wanted_version"] != package.version:
        return False
    if entry["selection"] != [package.megabytes, *package.folders]:
        return False
    sizes = [path.stat().st_size for path in (corpus / entry["folder"]).rglob("*") if path.is_file()]
    return (len(sizes), sum(sizes)) == (entry["files"], entry["bytes"])


def describe(entry: dict[str, Any]) -> str:
    other = "" if entry["version"] == entry["wanted_version"] else f" (not {entry['wanted_version']})"
    size = f"{entry['files']} files, {entry['bytes'] / 1e6:.2f} MB"
    return f"{entry['language']:<11}{entry['name']} {entry['version']}{other}: {size}"


def fetch_all(corpus: Path, languages: list[str]) -> int:
    """Fetch what is missing; return the number of packages that could not be had."""
    manifest = corpus / "manifest.json"
    entries: dict[str, dict[str, Any]] = {}
    if manifest.exists():
        entries = {entry["name"]: entry for entry in json.loads(manifest.read_text())["packages"]}
    failed = 0
    for package in PACKAGES:
        if package.language not in languages:
            continue
        known = entries.get(package.name)
        if not is_current(package, known, corpus):
            try:
                if known is not None:
                    shutil.rmtree(corpus / known["folder"], ignore_errors=True)
                entries[package.name] = fetch(package, corpus)
            except (FetchError, OSError, subprocess.SubprocessError, tarfile.TarError) as error:
                print(f"{package.language:<11}{package.name} {package.version}: {error}", file=sys.stderr)
                failed += 1
                continue
        print(describe(entries[package.name]))
        manifest.write_text(json.dumps({"packages": list(entries.values())}, indent=2) + "\n")
    for language in languages:
        total = sum(entry["bytes"] for entry in entries.values() if entry["language"] == language)
        print(f"{language:<11}{total / 1e6:.2f} MB in all")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path("corpus"), help="default: corpus")
    parser.add_argument(
        "--language", action="append", choices=list(EXTENSIONS), help="only this one; may be repeated"
    )
    arguments = parser.parse_args()
    try:
        arguments.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"can not make the folder {arguments.folder}: {error}")
    failed = fetch_all(arguments.folder, arguments.language or list(EXTENSIONS))
    if failed:
        print(f"{failed} packages could not be fetched", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
