"""temporary"""

import os


def read_source(path: str | os.PathLike[str], encoding: str = "utf-8") -> tuple[str, str]:
    with open(path, "rb") as f:
        return f.read().decode(encoding if encoding != "guess" else "utf-8"), encoding
