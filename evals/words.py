"""Doc comments -> questions; texts -> runs of words, by which copies are found."""

from __future__ import annotations

import re
from collections import Counter

_MARKERS = re.compile(r"^[ \t]*(?:/\*\*?|\*+/|///?!?|\*(?!\*)|[rRuUbB]{0,2}(?:\"\"\"|'''|\"|'))[ \t]?")
_CLOSERS = re.compile(r"(?:\*+/|\"\"\"|'''|(?<=\w[.!?])[\"'])[ \t]*$")
_MARKUP = (
    (re.compile(r"\{@\w+\s+([^{}]*)\}"), r"\1"),  # {@code x}, {@link X#y text}
    (re.compile(r"<p\s*/?>|<br\s*/?>", re.I), "\n\n"),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), " "),
    (re.compile(r":\w+:`~?([^`]*)`"), r"\1"),  # :class:`x`
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),  # [text](url)
    (re.compile(r"https?://\S+"), " "),
)
_END = re.compile(
    r"^\s*(?:@\w+|:\w+[^:]*:|>>>|```|~~~|#+ |\.\. |-{3,}|={3,}"
    r"|(?:Args|Arguments|Parameters|Params|Returns?|Raises|Yields|Examples?|Usage|Notes?|See also|Attributes)"
    r"\s*:?\s*$)",
    re.I,
)
FEWEST_WORDS = 7
MOST_WORDS = 80
RUN = 6
"""Words in a row that are no coincidence."""

_WORD = re.compile(r"[^\W_]+")
Run = tuple[str, ...]


def prose(doc: str) -> list[str]:
    """Return the paragraphs of a doc comment up to its first tag, section or example, without markup."""
    lines = [_CLOSERS.sub("", _MARKERS.sub("", line)).strip() for line in doc.split("\n")]
    text = "\n".join(lines)
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    kept: list[str] = []
    for line in text.split("\n"):
        if _END.match(line):
            break
        kept.append(" ".join(line.split()))
    return [part.replace("\n", " ") for part in "\n".join(kept).strip().split("\n\n") if part.strip()]


def question(doc: str, name: str) -> str | None:
    """Return what a doc comment says, without the function's own name, or None if that is too little.

    The first paragraph, and the next ones as long as there are too few words.
    """
    said = ""
    for paragraph in prose(doc):
        said = f"{said} {paragraph}".strip()
        if len(_WORD.findall(said)) >= FEWEST_WORDS + 1:
            break
    said = " ".join(re.sub(rf"\b{re.escape(name)}\b(?:\(\))?", " ", said).split())
    words = said.split(" ")[:MOST_WORDS]
    is_text = sum(character.isascii() for character in said) >= 0.95 * len(said)
    return " ".join(words) if len(_WORD.findall(said)) >= FEWEST_WORDS and is_text else None


def runs(text: str, length: int = RUN) -> list[Run]:
    """Return every run of words in a text; of a shorter one, itself."""
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) <= length:
        return [tuple(words)] if words else []
    return [tuple(words[start : start + length]) for start in range(len(words) - length + 1)]


def share_elsewhere(text: str, own: str, everywhere: Counter[Run]) -> float:
    """Return the share of a text's runs that ``everywhere`` has more often than ``own``, a part of it."""
    mine = Counter(runs(own))
    found = runs(text)
    return sum(everywhere[run] > mine[run] for run in found) / len(found) if found else 1.0
