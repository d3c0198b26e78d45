"""Walking a repository: what git would list, and why everything else is left out."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pathspec  # noqa: F401  (loaded before a test gives up its rights)
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from code_chunk import detect_language
from code_chunk._files import walk_repository
from code_chunk._walk import SkipReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_links = pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
needs_bytes = pytest.mark.skipif(os.name != "posix", reason="names are text elsewhere")

PYTHON = "#!/usr/bin/env python3\n"
"""Makes a file of any name one that is wanted."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder without settings."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("XDG_CONFIG_HOME", "GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def fill(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files; a name that ends with a slash is an empty folder."""
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def git(folder: Path, *arguments: str) -> list[str]:
    """Run git, and give the names that it prints."""
    done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=True)
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def listed(folder: Path) -> list[str]:
    """The regular files that git lists in a folder: committed or not, but not ignored."""
    names = git(folder, "ls-files", "-co", "--exclude-standard", "-z")
    return sorted(name for name in names if (folder / name).is_file() and not (folder / name).is_symlink())


def names(root: Path, **options: Any) -> list[str]:
    """The paths that are found, relative to the root."""
    return [path.relative_to(root).as_posix() for path in walk_repository(root, **options)]


def reasons(root: Path, **options: Any) -> dict[str, tuple[str, str]]:
    """What is left out, and why; dotfiles of the test itself are not told."""
    walk = walk_repository(root, **options)
    list(walk)
    return {
        skipped.path.relative_to(root).as_posix(): (skipped.reason, skipped.detail)
        for skipped in walk.skipped
        if not (skipped.reason == "language" and skipped.path.name.startswith("."))
    }


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Whoever may do everything may not, for once."""
    is_root = os.name == "posix" and os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


# --- what is found ---


def test_order(root: Path) -> None:
    """Paths are sorted by their parts."""
    fill(root, dict.fromkeys(["b.py", "a/z.py", "a.py", "a-b/c.py", "B.py", "a/b/c.py", "é.py"], ""))
    assert names(root) == ["B.py", "a/b/c.py", "a/z.py", "a-b/c.py", "a.py", "b.py", "é.py"]


def test_order_is_that_of_paths(root: Path) -> None:
    """The order is the one in which `sorted` puts the parts."""
    fill(root, dict.fromkeys(["a/z.py", "a.py", "a-b/c.py", "a/b/c.py"], ""))
    found = list(walk_repository(root))
    assert found == sorted(found, key=lambda path: path.parts)


def test_paths_start_with_the_root(root: Path) -> None:
    """A path is the root as it was given, and what follows."""
    fill(root, {"a/b.py": ""})
    assert list(walk_repository(root)) == [root / "a" / "b.py"]


@pytest.mark.parametrize("given_root", [".", "./", "", Path()])
def test_here(root: Path, monkeypatch: pytest.MonkeyPatch, given_root: str | Path) -> None:
    """In the current folder, paths are relative."""
    fill(root, {"a/b.py": ""})
    monkeypatch.chdir(root)
    assert [str(path) for path in walk_repository(given_root)] == [os.path.join("a", "b.py")]


def test_relative_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative root gives relative paths."""
    fill(root, {"a/b.py": ""})
    monkeypatch.chdir(root.parent)
    assert [path.as_posix() for path in walk_repository("root/")] == ["root/a/b.py"]


def test_lazy(root: Path) -> None:
    """A folder is read when its turn comes."""
    fill(root, {"a.py": "", "b/c.py": ""})
    walk = walk_repository(root)
    first = next(walk)
    (root / "b" / "d.py").touch()
    assert [first, *walk] == [root / "a.py", root / "b" / "c.py", root / "b" / "d.py"]


def test_skipped_grows(root: Path) -> None:
    """`skipped` holds what was left out so far."""
    fill(root, {"a.py": "", "b.txt": "", "c.py": "", "d.txt": ""})
    walk = walk_repository(root)
    seen = [len(walk.skipped) for _ in walk]
    assert (seen, len(walk.skipped)) == ([0, 1], 2)


def test_empty_file(root: Path) -> None:
    """An empty file is found: it has no chunks, which is for others to say."""
    fill(root, {"a.py": ""})
    assert names(root) == ["a.py"]


def test_empty_folder(root: Path) -> None:
    """In an empty folder nothing is found."""
    assert names(root) == []


def test_dotfiles(root: Path) -> None:
    """Dotfiles are files like others."""
    fill(root, {".a.py": "", ".github/b.py": ""})
    assert names(root) == [".a.py", ".github/b.py"]


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", ".jj"])
def test_version_control(root: Path, name: str) -> None:
    """What belongs to version control is not walked."""
    fill(root, {"a.py": "", f"{name}/b.py": ""})
    assert (names(root), reasons(root)) == (["a.py"], {name: ("version control", "")})


def test_deep(root: Path) -> None:
    """Folders may be as deep as the system lets them."""
    folder = root.joinpath(*["d"] * 1500)
    os.makedirs(folder.parents[750])  # it is recursive itself
    os.makedirs(folder)
    (folder / "a.py").touch()
    try:
        assert list(walk_repository(root)) == [folder / "a.py"]
    finally:  # what clears up behind the tests is recursive, too
        (folder / "a.py").unlink()
        os.removedirs(folder)


@needs_bytes
def test_too_deep(root: Path) -> None:
    """Where a path is too long for the system, the folder is left out."""
    here = os.getcwd()
    try:
        os.chdir(root)
        for _ in range(30):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    finally:
        os.chdir(here)
    assert [reason for reason, _ in reasons(root).values()] == ["unreadable"]


@needs_bytes
def test_name_that_is_not_utf8(root: Path) -> None:
    """Names are what the system says."""
    fill(root, {os.fsdecode(b"\xff.py"): "", os.fsdecode(b"\xfe.py"): "", ".gitignore": b"\xfe.py"})
    assert names(root) == [os.fsdecode(b"\xff.py")]


# --- languages ---


def test_language(root: Path) -> None:
    """What is in no language that is supported is left out."""
    fill(root, {"a.py": "", "b.txt": "", "c": "text"})
    assert (names(root), reasons(root)) == (["a.py"], {"b.txt": ("language", ""), "c": ("language", "")})


def test_shebang(root: Path) -> None:
    """A file without an extension may say its language in its first line."""
    fill(root, {"tool": PYTHON, "other": "#!/bin/no-such-shell\n"})
    assert names(root) == ["tool"]


def test_languages(root: Path) -> None:
    """Only the languages asked for are found, by their names or other ones."""
    fill(root, {"a.py": "", "b.go": "", "c.rs": "", "tool": PYTHON})
    assert names(root, languages=("py", "GO")) == ["a.py", "b.go", "tool"]


def test_other_language(root: Path) -> None:
    """Of a file in another language, the language is told."""
    fill(root, {"a.py": "", "tool": PYTHON})
    assert reasons(root, languages=["go"]) == {"a.py": ("language", "python"), "tool": ("language", "python")}


def test_head_is_not_read_in_vain(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose name tells that it is not wanted is not opened."""
    fill(root, {"a.py": "", "b.go": ""})
    opened: list[str] = []
    original = open

    def spy(path: Any, *arguments: Any, **options: Any) -> Any:
        opened.append(str(path))
        return original(path, *arguments, **options)

    monkeypatch.setattr("builtins.open", spy)
    names(root, languages=["go"])
    assert [path for path in opened if path.endswith((".py", ".go"))] == [str(root / "b.go")]


# --- content ---


def test_binary(root: Path) -> None:
    """A NUL in the first 8 KiB makes a file binary."""
    fill(root, {"a.py": b"x" * 8191 + b"\0", "b.py": b"x\n" * 4096 + b"\0"})
    assert (names(root), reasons(root)) == (["b.py"], {"a.py": ("binary", "a NUL at position 8,191")})


@pytest.mark.parametrize("codec", ["utf-16", "utf-32"])
def test_text_with_nuls(root: Path, codec: str) -> None:
    """What has the mark of UTF-16 or UTF-32 is text."""
    fill(root, {"a.py": "x = 1".encode(codec)})
    assert names(root) == ["a.py"]


def test_other_encoding(root: Path) -> None:
    """Text need not be UTF-8 to be found."""
    fill(root, {"a.py": "# Käse".encode("latin-1")})
    assert names(root) == ["a.py"]


def test_too_large(root: Path) -> None:
    """A file over the size is left out; one of the very size is not."""
    fill(root, {"a.py": "x" * 20, "b.py": "x" * 21})
    assert reasons(root, max_file_bytes=20) == {"b.py": ("too large", "21 bytes, over 20")}


def test_size_by_default(root: Path) -> None:
    """A megabyte is the limit."""
    fill(root, {"a.py": "x = 1\n" * 166_666, "b.py": "x = 1\n" * 166_667})
    assert (names(root), names(root, max_file_bytes=None)) == (["a.py"], ["a.py", "b.py"])


@pytest.mark.parametrize(
    "head",
    [
        "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage p\n",
        "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
        "#!/usr/bin/env python\n# Copyright\n\n# Auto-generated: do not modify.\n",
        "\ufeff// @generated by some tool\n",
        "/**\n * A long licence.\n *\n * @generated SignedSource<<abc>>\n */\n",
        "// <auto-generated/>\n",
        "//go:build linux\n\n// Code generated by cmd/cgo -godefs; DO NOT EDIT.\n",
    ],
)
def test_generated(root: Path, head: str) -> None:
    """A comment at the start that says so makes a file a generated one."""
    fill(root, {"a.py": head + "x = 1\n"})
    assert (reasons(root)["a.py"][0], names(root, skip_generated=False)) == ("generated", ["a.py"])


@pytest.mark.parametrize(
    "text",
    [
        "import os\n# @generated\n",
        "HEAD = '// Code generated by us. DO NOT EDIT.'\n",
        "# Finds generated files.\n# Do not edit this table by hand.\n",
        "# someone@generated.example.org is the author\n",
        "# the @generatedValue annotation\n",
        "# generated code is not our concern\n",
    ],
)
def test_not_generated(root: Path, text: str) -> None:
    """A file that only speaks of generated ones is none."""
    fill(root, {"a.py": text})
    assert names(root) == ["a.py"]


@pytest.mark.parametrize("name", ["jquery.min.js", "a.MIN.mjs"])
def test_minified_by_name(root: Path, name: str) -> None:
    """The name of a minified file says so."""
    fill(root, {name: "x"})
    assert [reason for reason, _ in reasons(root).values()] == ["generated"]


@pytest.mark.parametrize(
    "name", ["admin.js", "min.js", "minify.js", "a.mine.js", "lock.js", "acquire-lock.js"]
)
def test_not_minified_by_name(root: Path, name: str) -> None:
    """Other names say nothing."""
    fill(root, {name: "x"})
    assert names(root) == [name]


def test_minified_by_lines(root: Path) -> None:
    """Long lines on average make a file a minified one, if it is not small."""
    fill(root, {"a.js": "a=1;" * 1024, "b.js": "a=1;" * 1023, "c.js": ("a=1;" * 70 + "\n") * 30})
    assert (names(root), reasons(root)) == (
        ["b.js", "c.js"],
        {"a.js": ("generated", "minified: 4,096 bytes a line")},
    )


def test_generated_folders(root: Path) -> None:
    """What package managers, virtual environments and caches hold is left out."""
    tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
    fill(
        root,
        {
            "a/node_modules/a.js": "",
            "env/pyvenv.cfg": "",
            "env/a.py": "",
            "target/CACHEDIR.TAG": tag,
            "target/a.rs": "",
            "mine/CACHEDIR.TAG": "no",
            "mine/a.py": "",
        },
    )
    assert (names(root), {k: v for k, v in reasons(root).items() if v[0] == "generated"}) == (
        ["mine/a.py"],
        {
            "a/node_modules": ("generated", "node_modules"),
            "env": ("generated", "pyvenv.cfg"),
            "target": ("generated", "CACHEDIR.TAG"),
        },
    )


def test_generated_folders_when_asked_for(root: Path) -> None:
    """They are folders like others for who wants them."""
    fill(root, {"node_modules/a.js": "", "env/pyvenv.cfg": "", "env/a.py": ""})
    assert names(root, skip_generated=False) == ["env/a.py", "node_modules/a.js"]


def test_generated_root(root: Path) -> None:
    """The root was asked for, whatever it is."""
    fill(root, {"node_modules/a.js": "", "node_modules/pyvenv.cfg": ""})
    assert names(root / "node_modules") == ["a.js"]


@needs_links
def test_not_a_file(root: Path) -> None:
    """Pipes and sockets are never opened."""
    os.mkfifo(root / "a.py")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(root)  # the path of a socket must be short
        try:
            server.bind("b.py")
        finally:
            os.chdir(here)
        assert reasons(root) == {"a.py": ("not a file", ""), "b.py": ("not a file", "")}


@needs_links
def test_pipe_for_an_ignore_file(root: Path) -> None:
    """A pipe is not opened for being called like an ignore file."""
    fill(root, {"a.py": ""})
    os.mkfifo(root / ".gitignore")
    assert (names(root), reasons(root)) == (["a.py"], {".gitignore": ("not a file", "")})


@needs_bytes
def test_unreadable() -> None:
    """What may not be read is told, and nothing else suffers."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        fill(root, {"a.py": "", "b.py": "", "c/d.py": "", "e/.gitignore": "*", "e/f.py": "", "g.py": ""})
        for name in ("b.py", "c", "e/.gitignore"):
            (root / name).chmod(0)
        with ordinary_user():
            found, skipped = names(root), reasons(root)
        (root / "c").chmod(0o755)
    denied = ("unreadable", "Permission denied")
    assert (found, skipped) == (
        ["a.py", "e/f.py", "g.py"],
        {"b.py": denied, "c": denied, "e/.gitignore": denied},
    )


@needs_bytes
def test_unreadable_root() -> None:
    """A root that may not be read is told at once."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0)
        with ordinary_user(), pytest.raises(PermissionError):
            walk_repository(folder)


def test_file_vanishes(root: Path) -> None:
    """A file that is gone when its turn comes is told."""
    fill(root, {"a.py": "", "b.py": ""})
    walk = walk_repository(root)
    next(walk)
    (root / "b.py").unlink()
    assert (list(walk), walk.skipped[0].reason) == ([], "unreadable")


# --- include and exclude ---


def test_include(root: Path) -> None:
    """With patterns to include, a file must match one, itself or by a folder."""
    fill(root, dict.fromkeys(["a.py", "src/b.py", "src/c/d.py", "lib/e.py", "lib/f.go"], ""))
    assert names(root, include=["src/", "*.go"]) == ["lib/f.go", "src/b.py", "src/c/d.py"]


def test_not_included(root: Path) -> None:
    """A file that is not included is told."""
    fill(root, {"a.py": "", "b.py": ""})
    assert reasons(root, include=["b.py"]) == {"a.py": ("not included", "")}


def test_include_with_negation(root: Path) -> None:
    """The last pattern that matches decides."""
    fill(root, {"src/a.py": "", "src/test_a.py": ""})
    assert names(root, include=["src/", "!test_*"]) == ["src/a.py"]


def test_include_is_relative_to_the_root(root: Path) -> None:
    """A pattern with a slash starts at the root, also in a folder of a repository."""
    fill(root, {".git/HEAD": "", ".git/objects/": "", ".git/refs/": "", "é/a.py": "", "é/b/a.py": ""})
    assert names(root / "é", include=["/a.py"]) == ["a.py"]


def test_exclude(root: Path) -> None:
    """A folder that is excluded is not walked, and the pattern is told."""
    fill(root, {"a/b.py": "", "c.py": ""})
    assert (names(root, exclude=["a/"]), reasons(root, exclude=["a/"])) == (
        ["c.py"],
        {"a": ("excluded", "exclude: a/")},
    )


def test_exclude_is_stronger(root: Path) -> None:
    """What is included and excluded is left out."""
    fill(root, {"a.py": "", "b.py": ""})
    assert names(root, include=["*.py"], exclude=["b.*"]) == ["a.py"]


def test_include_brings_nothing_back(root: Path) -> None:
    """What is ignored stays ignored."""
    fill(root, {"a.py": "", ".gitignore": "a.py"})
    assert names(root, include=["a.py"]) == []


def test_exclude_with_negation_brings_nothing_back(root: Path) -> None:
    """A negated pattern takes back those before it, not ignore files."""
    fill(root, {"a.py": "", "b.py": "", "c.py": "", ".gitignore": "a.py"})
    assert names(root, exclude=["*.py", "!a.py", "!b.py"]) == ["b.py"]


# --- ignore files ---


def test_ignored(root: Path) -> None:
    """The pattern that speaks against a file is told with its place."""
    fill(root, {"sub/.gitignore": "# no\n\n*.log.py\n", "sub/a/b.log.py": "", "sub/c.py": ""})
    assert reasons(root) == {"sub/a/b.log.py": ("ignored", "sub/.gitignore:3: *.log.py")}


def test_ignored_folder(root: Path) -> None:
    """An ignored folder is told once, and nothing in it comes back."""
    fill(root, {".gitignore": "build/\n!build/a.py\n", "build/a.py": "", "build/.gitignore": "!*"})
    assert (names(root), reasons(root)) == ([], {"build": ("ignored", ".gitignore:1: build/")})


def test_own_ignore_file(root: Path) -> None:
    """`.code-chunkignore` has the same syntax, in every folder."""
    fill(
        root,
        {
            ".code-chunkignore": "a.py",
            "a.py": "",
            "b/.code-chunkignore": "!a.py\n/c.py",
            "b/a.py": "",
            "b/c.py": "",
        },
    )
    assert (names(root), reasons(root)) == (
        ["b/a.py"],
        {
            "a.py": ("ignored", ".code-chunkignore:1: a.py"),
            "b/c.py": ("ignored", "b/.code-chunkignore:2: /c.py"),
        },
    )


def test_own_ignore_file_is_stronger(root: Path) -> None:
    """It brings back what git ignores, also where git's file stands deeper."""
    fill(
        root,
        {
            ".code-chunkignore": "!gen/\n!a.py",
            ".gitignore": "gen/",
            "gen/a.py": "",
            "b/.gitignore": "*.py",
            "b/a.py": "",
        },
    )
    assert names(root) == ["b/a.py", "gen/a.py"]


def test_ignore_file_that_is_a_folder(root: Path) -> None:
    """A folder called like an ignore file is a folder."""
    fill(root, {".gitignore/a.py": "", "b.py": ""})
    assert names(root) == [".gitignore/a.py", "b.py"]


# --- links ---


@pytest.fixture
def linked(root: Path) -> Path:
    """A folder with links of all kinds."""
    fill(root, {"real/a.py": "", "real/sub/b.py": "", "data.txt": "", ".git/x.py": ""})
    fill(root.parent, {"away/c.py": "", "rootless/d.py": ""})
    for name, target in {
        "a.py": "real/a.py",
        "away": "../away",
        "away.py": "../away/c.py",
        "broken.py": "missing",
        "data.py": "data.txt",
        "first": "real/sub",
        "git": ".git",
        "rootless": "../rootless",
        "loop.py": "loop.py",
        "real/up": "..",
        "round": "../away/../root/real",
    }.items():
        (root / name).symlink_to(target)
    return root


@needs_links
def test_links_are_left_out(linked: Path) -> None:
    """Links are not followed unless asked for."""
    assert names(linked) == ["real/a.py", "real/sub/b.py"]


@needs_links
def test_links_are_told(linked: Path) -> None:
    """A link that is not followed is told as one."""
    links = {"a.py", "away", "away.py", "broken.py", "data.py", "first", "git", "rootless", "loop.py"}
    expected = dict.fromkeys(links | {"real/up", "round"}, "link")
    assert {k: v[0] for k, v in reasons(linked).items() if v[0] == "link"} == expected


@needs_links
def test_links_are_followed(linked: Path) -> None:
    """What a link leads to is found under its own path, if that was not found already."""
    assert names(linked, follow_symlinks=True) == ["real/a.py", "real/sub/b.py", "data.py"]


@needs_links
def test_links_that_are_not_followed(linked: Path) -> None:
    """A link out of the root, to what is known, or to nothing, is told as such."""
    skipped = reasons(linked, follow_symlinks=True)
    assert {name: skipped[name][0] for name in skipped if name not in ("data.txt", ".git")} == {
        "a.py": "duplicate",
        "away": "outside",
        "away.py": "outside",
        "broken.py": "unreadable",
        "first": "duplicate",
        "git": "version control",
        "rootless": "outside",
        "loop.py": "unreadable",
        "real/up": "duplicate",
        "round": "duplicate",
    }


@needs_links
def test_link_to_an_ignored_folder(root: Path) -> None:
    """A link stands for what it leads to, under its own name."""
    fill(root, {".gitignore": "/hidden\n*.log.py", "hidden/sub/a.py": "", "hidden/b.log.py": ""})
    (root / "shown").symlink_to("hidden")
    assert names(root, follow_symlinks=True) == ["shown/sub/a.py"]


@needs_links
def test_links_in_linked_folders(root: Path) -> None:
    """Links behind links are followed, each folder once."""
    fill(root, {".gitignore": "/hidden", "hidden/a/b.py": "", "hidden/c/d.py": ""})
    (root / "hidden/a/more").symlink_to("../c")
    (root / "hidden/c/more").symlink_to("../a")
    (root / "x").symlink_to("hidden/a")
    assert names(root, follow_symlinks=True) == ["x/b.py", "x/more/d.py"]


@needs_links
def test_ignored_link(root: Path) -> None:
    """A link is ignored by its own name; a followed one to a folder counts as a folder."""
    fill(root, {".gitignore": "/real\n/link/\n/a.py", "real/b.py": ""})
    (root / "link").symlink_to("real")
    (root / "a.py").symlink_to("real/b.py")
    assert {k: v[0] for k, v in reasons(root, follow_symlinks=True).items()} == {
        "real": "ignored",
        "link": "ignored",
        "a.py": "ignored",
    }


@needs_links
def test_root_may_be_a_link(root: Path) -> None:
    """A root that is a link is followed, and stays as it was given."""
    fill(root, {"a.py": ""})
    link = root.parent / "link"
    link.symlink_to(root)
    assert list(walk_repository(link)) == list(walk_repository(link, follow_symlinks=True)) == [link / "a.py"]


@needs_links
def test_many_links(root: Path) -> None:
    """Folders that all link to each other are walked once each."""
    for i in range(12):
        fill(root, {f"d{i}/a.py": ""})
        for j in range(12):
            (root / f"d{i}" / f"to{j}").symlink_to(f"../d{j}")
    assert len(names(root, follow_symlinks=True)) == 12


@needs_links
@needs_git
def test_ignore_file_that_is_a_link(root: Path) -> None:
    """Like git, the walk reads no ignore file that is a link."""
    git(root, "init", "-q")
    fill(root, {"patterns": "*.py", "a.py": ""})
    (root / ".gitignore").symlink_to("patterns")
    assert names(root) == [name for name in listed(root) if name.endswith(".py")] == ["a.py"]


# --- repositories ---


def git_data(folder: Path) -> None:
    """Make a folder look like the one in which git keeps its data."""
    fill(folder, {"HEAD": "ref: refs/heads/main\n", "objects/": "", "refs/": ""})


def test_folder_of_a_repository(root: Path) -> None:
    """In a folder of a repository, the ignore files above it count, up to the top and no further."""
    git_data(root / ".git")
    fill(
        root,
        {
            "../.gitignore": "d.py",
            ".gitignore": "/sub/a.py\n/b.py",
            ".code-chunkignore": "e.py",
            "sub/.gitignore": "f.py",
            **dict.fromkeys((f"sub/deep/{name}.py" for name in "abcdef"), ""),
            "sub/a.py": "",
        },
    )
    assert (names(root / "sub"), names(root / "sub" / "deep")) == (
        ["deep/a.py", "deep/b.py", "deep/c.py", "deep/d.py"],
        ["a.py", "b.py", "c.py", "d.py"],
    )


def test_ignored_root(root: Path) -> None:
    """A root that is ignored itself is walked: it was asked for."""
    git_data(root / ".git")
    fill(root, {".gitignore": "/build/\n*.log.py", "build/a.py": "", "build/b.log.py": ""})
    assert names(root / "build") == ["a.py"]


def test_no_repository(root: Path) -> None:
    """Outside of a repository, the ignore files in the root count, but none above it."""
    fill(root, {"../.gitignore": "a.py", ".gitignore": "b.py", "a.py": "", "b.py": ""})
    assert names(root) == ["a.py"]


def test_repository_in_a_repository(root: Path) -> None:
    """A repository in another one is left out, as git leaves it out."""
    git_data(root / ".git")
    git_data(root / "sub" / ".git")
    fill(root, {"sub/a.py": "", "b.py": ""})
    assert (names(root), reasons(root)["sub"]) == (["b.py"], ("repository", "inside of another one"))


def test_repositories_in_a_folder(root: Path) -> None:
    """In a folder that is no repository, each repository is walked by its own rules."""
    git_data(root / "one" / ".git")
    fill(
        root,
        {
            ".gitignore": "a.py",
            "one/.git/info/exclude": "b.py",
            "one/a.py": "",
            "one/b.py": "",
            "two/a.py": "",
        },
    )
    assert names(root) == ["one/a.py"]


def test_git_folder_that_is_none(root: Path) -> None:
    """A folder called `.git` does not make a repository."""
    git_data(root / ".git")
    fill(
        root,
        {
            "a/.git/": "",
            "a/b.py": "",
            "c/.git": "gitdir: /no/such/folder",
            "c/d.py": "",
            "e/.git": "",
            "e/f.py": "",
        },
    )
    assert names(root) == ["a/b.py", "c/d.py", "e/f.py"]


def test_info_exclude(root: Path) -> None:
    """The repository's own excludes count, and ignore files are stronger."""
    git_data(root / ".git")
    fill(
        root,
        {
            ".git/info/exclude": "a.py\nb.py\n/sub/c.py",
            ".gitignore": "!b.py",
            "a.py": "",
            "b.py": "",
            "sub/c.py": "",
        },
    )
    assert (names(root), reasons(root)["a.py"][1]) == (["b.py"], f"{root / '.git/info/exclude'}:1: a.py")


@pytest.mark.parametrize("place", [".config/git/ignore", "elsewhere/git/ignore"])
def test_excludes_file_of_the_user(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """What the user ignores everywhere is ignored, in a repository or not."""
    if place.startswith("elsewhere"):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "elsewhere"))
    fill(home, {place: "a.py"})
    fill(root, {"a.py": "", "b.py": ""})
    assert names(root) == ["b.py"]


@pytest.mark.parametrize(
    "setting",
    [
        "[core]\n\texcludesFile = ~/mine\n",
        "[CORE]\nEXCLUDESFILE=~/mine",
        "[user]\nname = x\n[core] excludesfile = ~/mine ; comment\n",
        '[core]\nexcludesFile = "~/mine" # comment\n',
        "[core]\n  # excludesFile = ~/other\n  excludesFile = \\\n  ~/mine\r\n",
        '[core]\nexcludesFile = ~/other\nexcludesFile = ~/m"in"e  \n[core "x"]\nexcludesFile = ~/other\n',
        '[a "b\\"]"]\nexcludesFile = ~/other\n[core]\nbare\nexcludesFile = ~/mine\n[x]\nexcludesFile = x\n',
    ],
)
@needs_git
def test_setting_of_the_user(root: Path, home: Path, setting: str) -> None:
    """`core.excludesFile` says where the user's patterns are, and is read as git reads it."""
    git(root, "init", "-q")
    fill(home, {".gitconfig": setting, "mine": "a.py", "other": "b.py", ".config/git/ignore": "b.py"})
    fill(root, {"a.py": "", "b.py": ""})
    assert names(root) == listed(root) == ["b.py"]


@pytest.mark.parametrize("value", ['"a#b; c"', "a\\\\b", '" a"', "''", '"a\\tb"', '"a  "  ', "a  b", ""])
@needs_git
def test_value_of_a_setting(root: Path, home: Path, value: str) -> None:
    """A value's quotes, escapes and spaces are read as git reads them."""
    git(root, "init", "-q")
    fill(home, {".gitconfig": f"[core]\nexcludesFile = {value}\n", ".config/git/ignore": "c.py"})
    [setting] = git(root, "config", "-z", "core.excludesFile") or [""]
    fill(root, {"a.py": "", "b.py": "", "c.py": "", **({setting: "a.py"} if setting else {})})
    assert names(root) == [name for name in listed(root) if name.endswith(".py")]


@needs_git
def test_settings_in_order(root: Path, home: Path) -> None:
    """The repository's setting is stronger than the user's, and that in the home folder than the other."""
    git(root, "init", "-q")
    fill(home, {"one": "a.py", "two": "b.py", "three": "c.py"})
    fill(root, {"a.py": "", "b.py": "", "c.py": ""})
    seen = []
    for path, name in {
        home / ".config/git/config": "one",
        home / ".gitconfig": "two",
        root / ".git/config": "three",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(f"[core]\nexcludesFile = ~/{name}\n")
        assert names(root) == listed(root)
        seen.append(names(root))
    assert seen == [["b.py", "c.py"], ["a.py", "c.py"], ["a.py", "b.py"]]


@needs_git
def test_linked_working_tree(root: Path) -> None:
    """In another working tree of a repository, `.git` is a file, and the excludes are the repository's."""
    git(root, "init", "-q")
    git(
        root,
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x",
    )
    tree = root.parent / "tree"
    git(root, "worktree", "add", "-q", str(tree))
    fill(root, {".git/info/exclude": "a.py"})
    fill(tree, {"a.py": "", "b.py": ""})
    assert names(tree) == listed(tree) == ["b.py"]


@needs_git
def test_submodule(root: Path) -> None:
    """A submodule is left out of its repository, and walked by itself with its own excludes."""
    other = root.parent / "other"
    other.mkdir()
    author = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always")
    for folder in (root, other):
        git(folder, "init", "-q")
    fill(other, {"a.py": ""})
    git(other, "add", ".")
    git(other, *author, "commit", "-q", "-m", "x")
    git(root, *author, "submodule", "add", "-q", str(other), "sub")
    fill(root, {".git/modules/sub/info/exclude": "b.py", "sub/b.py": "", "c.py": ""})
    assert (names(root), listed(root)) == (["c.py"], [".gitmodules", "c.py"])
    assert names(root / "sub") == listed(root / "sub") == ["a.py"]


# --- as git does ---

REALISTIC: dict[str, str | bytes] = {
    ".gitignore": "# build\n/build/\n"
    "*.log.py\n!keep.log.py\nnode_modules/\n**/tmp/\ndocs/**/*.py\n!docs/api/index.py\n"
    "/a?.py\n[Tt]est_*.py\ntrailing.py   \nescaped\\ .py\n\\#hash.py\n\\!bang.py\nlib/*\n!lib/kept/\n",
    "build/x.py": "",
    "src/build/x.py": "",
    "x.log.py": "",
    "src/keep.log.py": "",
    "src/node_modules/x.js": "",
    "src/tmp/x.py": "",
    "tmp": PYTHON,
    "docs/api/index.py": "",
    "docs/api/other.py": "",
    "ab.py": "",
    "src/ab.py": "",
    "Test_x.py": "",
    "src/test_x.py": "",
    "trailing.py": "",
    "escaped .py": "",
    "#hash.py": "",
    "!bang.py": "",
    "lib/x.py": "",
    "lib/kept/x.py": "",
    "src/.gitignore": b"\xef\xbb\xbf*.gen.py\r\n!main.gen.py\r\n/local/\r\n",
    "src/x.gen.py": "",
    "src/main.gen.py": "",
    "src/local/x.py": "",
    "src/deep/local/x.py": "",
    "src/deep/.gitignore": "!x.gen.py\n!*.log.py",
    "src/deep/x.gen.py": "",
    "src/deep/x.log.py": "",
    "src/main.py": "",
    "excluded.py": "",
    "personal.py": "",
    ".git/info/exclude": "excluded.py\n",
    "../home/.config/git/ignore": "personal.py\n",
}


@needs_git
def test_realistic_repository(root: Path) -> None:
    """In a repository with rules of all kinds, the walk finds what git lists."""
    git(root, "init", "-q")
    fill(root, REALISTIC)
    git(root, "add", "src/main.py", "lib/kept")
    expected = [name for name in listed(root) if not name.endswith(".gitignore")]
    assert (names(root, skip_generated=False, max_file_bytes=None), len(expected)) == (
        sorted(expected, key=lambda name: name.split("/")),
        11,
    )


@needs_git
@pytest.mark.parametrize("folder", ["src", "src/deep", "lib/kept", "docs"])
def test_folder_of_a_realistic_repository(root: Path, folder: str) -> None:
    """So it does in a folder of it."""
    git(root, "init", "-q")
    fill(root, REALISTIC)
    assert names(root / folder) == [name for name in listed(root / folder) if not name.endswith(".gitignore")]


@needs_git
def test_this_repository() -> None:
    """In this repository, too, the walk finds what git lists, if it is one here."""
    here = Path(__file__).parent.parent
    if not (here / ".git").exists():
        pytest.skip("not a checkout")

    def is_wanted(name: str) -> bool:
        head = (here / name).read_bytes()[:8192]
        return detect_language(name, head) is not None and b"\0" not in head

    assert sorted(names(here, skip_generated=False, max_file_bytes=None)) == [
        name for name in listed(here) if is_wanted(name)
    ]


@needs_git
def test_committed_but_ignored(root: Path) -> None:
    """The one difference: the walk does not know what is committed in spite of a pattern."""
    git(root, "init", "-q")
    fill(root, {".gitignore": "a.py", "a.py": "", "b.py": ""})
    git(root, "add", "-f", "a.py")
    assert (names(root), listed(root)) == (["b.py"], [".gitignore", "a.py", "b.py"])


PIECES = [
    *(
        "a",
        "b",
        "foo",
        ".py",
        "é",
        "*",
        "**",
        "***",
        "?",
        "/",
        "/",
        "!",
        "#",
        " ",
        "\\ ",
        "\\",
        "-",
        "]",
        "[",
    ),
    *("[ab]", "[!a]", "[^a]", "[a-c]", "[z-a]", "[]a]", "[a-", "[]-a]", "[a\\]b]", "[a/b]", "[--a]", "[^-]"),
    *("[[:alpha:]]", "[![:space:]_]", "[[:no:]]", "[!\x01- ]", "[[]", "[\\", "\t", "\r", "\0", "\ufeff"),
]
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)
IGNORE = st.lists(LINES, min_size=1, max_size=4).map("\n".join)
TREE = [
    *(
        "a",
        "b",
        "ab",
        "abc",
        "a.py",
        "b.py",
        "foo.py",
        "[a]",
        "a]",
        "a-b",
        "!a",
        "#a",
        " a",
        "a ",
        "é",
        "éa",
        "A",
    ),
    *(
        "a\\b",
        "*",
        "-",
        "^",
        "z",
        "a\nb",
        "\t",
        "x/a",
        "x/b",
        "x/foo",
        "x/foo.py",
        "foo/a",
        "foo/b/a",
        "foo/b/foo",
    ),
    *("foo/b/b.py", "foo/é", "b/a", "b/foo/a", "b/b/b", "a/a", "a/b/foo"),
]
UNLIKE_THE_MANUAL = re.compile(r"(?m)^!?[^/*?[\\\n]+\*\*+/|\*\*\\/")
"""For git, ``a**/b`` means ``a*/**/b``, against its manual, where other stars than those that fill a part of
the path are plain ones; and of ``**\\/`` no one should ask anything."""


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    """A repository with files of many names."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        git(root, "init", "-q")
        files = [name for name in TREE if not any(other.startswith(name + "/") for other in TREE)]
        fill(root, dict.fromkeys(files, PYTHON))
        yield root


@needs_git
@needs_bytes
@given(top=IGNORE, below=IGNORE)
def test_any_patterns(tree: Path, top: str, below: str) -> None:
    """Whatever stands in ignore files, the walk finds what git lists."""
    assume(not UNLIKE_THE_MANUAL.search(top + "\n" + below))
    fill(tree, {".gitignore": top, "foo/.gitignore": below})
    expected = [name for name in listed(tree) if not name.endswith(".gitignore")]
    assert sorted(names(tree)) == expected


@needs_git
@needs_bytes
@given(data=st.binary(max_size=60))
def test_any_bytes(tree: Path, data: bytes) -> None:
    """So it does with any bytes in them."""
    assume(not UNLIKE_THE_MANUAL.search(data.decode("latin-1")))
    fill(tree, {".gitignore": data, "foo/.gitignore": b""})
    expected = [name for name in listed(tree) if not name.endswith(".gitignore")]
    assert sorted(names(tree)) == expected


# --- all is told ---

NAMES = st.sampled_from(
    ["a.py", "b.go", "c", ".git", "node_modules", "d.min.js", "e", "pyvenv.cfg", ".gitignore"]
)
CONTENTS = st.sampled_from(
    [b"", b"x", b"\0", b"a.py", b"/e/", b"*\n!*/", PYTHON.encode(), b"// @generated\n"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
TARGETS = st.sampled_from(["a.py", "..", ".", "e", "../e/c", "missing", "/"])


def build(root: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
    """Make what can be made of files and links, and nothing by way of a link."""
    for name, content in files.items():
        with suppress(OSError):
            fill(root, {name: content})
    for name, target in links.items():
        path = root / name
        with suppress(OSError):
            if not any((root / parent).is_symlink() for parent in Path(name).parents):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.symlink_to(target)


@needs_links
@given(
    files=st.dictionaries(PATHS, CONTENTS, max_size=8),
    links=st.dictionaries(PATHS, TARGETS, max_size=4),
    options=st.fixed_dictionaries(
        {
            "follow_symlinks": st.booleans(),
            "skip_generated": st.booleans(),
            "include": st.sampled_from([(), ("e/",), ("*.py", "!/a.py")]),
            "exclude": st.sampled_from([(), ("c",), ("e/",)]),
            "languages": st.sampled_from([None, ("go",)]),
        }
    ),
)
def test_all_is_told(files: dict[str, bytes], links: dict[str, str], options: dict[str, Any]) -> None:
    """Each file and link is found, or left out, or below a folder that is left out, and only once."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, files, links)
        walk = walk_repository(root, **options)
        found = list(walk)
        told = [*found, *(skipped.path for skipped in walk.skipped)]
        there = [Path(top, name) for top, _, inside in os.walk(root) for name in inside]
        there += [path for path in root.rglob("*") if path.is_symlink() and path.is_dir()]
        missing = [path for path in there if not {path, *path.parents} & set(told)]
        followed = {path for path in missing if path.is_symlink() and options["follow_symlinks"]}
        real = [path.resolve() for path in found]
        assert (len(told), len(real)) == (len(set(told)), len(set(real)))
        assert [path for path in missing if path not in followed] == []
        assert [path for path in real if not path.is_relative_to(root.resolve())] == []
        assert {skipped.reason for skipped in walk.skipped} <= set(get_args(SkipReason))


@given(order=st.permutations(["a.py", "b.py", "B.py", "a/a.py", "a/é.py", "a-b/c.py", "a/b/c.py", ".d/e.py"]))
def test_order_of_the_file_system(order: list[str]) -> None:
    """The order in which files were made does not matter."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        fill(root, dict.fromkeys(order, ""))
        assert names(root) == sorted(order, key=lambda name: name.split("/"))


# --- the acceptance of it all ---


@needs_git
@needs_links
def test_repository_of_everything(root: Path) -> None:
    """Of a repository with all of it, exactly the expected files are found, and each other has its reason."""
    git(root, "init", "-q")
    fill(root.parent, {"away/secret.py": ""})
    fill(
        root,
        {
            ".gitignore": "*.log.py\n/out/\n",
            ".code-chunkignore": "/vendored/\n",
            "README.md": "",
            "src/app.py": "x = 1\n",
            "src/.gitignore": "!kept.log.py\nlocal_*\n",
            "src/kept.log.py": "",
            "src/other.log.py": "",
            "src/local_settings.py": "",
            "src/latin.py": "# Käse\n".encode("latin-1"),
            "src/wide.py": "# Käse\n".encode("utf-16"),
            "src/image.py": b"\x89PNG\0\0",
            "src/schema_pb2.py": "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
            "src/big.py": "x = 1\n" * 200_000,
            "web/app.min.js": "x\n",
            "web/node_modules/lib/index.js": "",
            "web/index.ts": "",
            "out/made.py": "",
            "vendored/lib.go": "",
            "tools/run": PYTHON,
        },
    )
    (root / "src" / "escape.py").symlink_to("../../away/secret.py")
    (root / "escape").symlink_to("../away")
    os.mkfifo(root / "pipe.py")
    git(root, "add", "README.md", "src/app.py")
    assert names(root, follow_symlinks=True) == [
        "src/app.py",
        "src/kept.log.py",
        "src/latin.py",
        "src/wide.py",
        "tools/run",
        "web/index.ts",
    ]
    assert reasons(root, follow_symlinks=True) == {
        ".git": ("version control", ""),
        "README.md": ("language", ""),
        "escape": ("outside", str((root.parent / "away").resolve())),
        "out": ("ignored", ".gitignore:2: /out/"),
        "pipe.py": ("not a file", ""),
        "src/big.py": ("too large", "1,200,000 bytes, over 1,000,000"),
        "src/escape.py": ("outside", str((root.parent / "away" / "secret.py").resolve())),
        "src/image.py": ("binary", "a NUL at position 4"),
        "src/local_settings.py": ("ignored", "src/.gitignore:2: local_*"),
        "src/other.log.py": ("ignored", ".gitignore:1: *.log.py"),
        "src/schema_pb2.py": ("generated", "Generated by the protocol buffer compiler.  DO NOT EDIT"),
        "vendored": ("ignored", ".code-chunkignore:1: /vendored/"),
        "web/app.min.js": ("generated", "its name: .min.js"),
        "web/node_modules": ("generated", "node_modules"),
    }
