"""Results -> ``docs/evaluation.md``. Every number on that page comes from here."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from . import report
from .embedder import TOKENS
from .environments import ENVIRONMENTS, MODEL_PACKAGE
from .headers import BASE as NO_HEADER
from .headers import HEADERS
from .metrics import BUDGET, LEAST_IOU, LEAST_SHARE, RESAMPLES
from .recipe import SETS
from .rows import OTHERS, OURS, RECOMMENDED, rows_for
from .tasks import (
    COPIED_FUNCTION,
    COPIED_QUESTION,
    FEWEST_LINES,
    LINES_AFTER,
    LINES_BEFORE,
    PREFIX_LINES,
    SHORTEST_NAME,
)
from .tasks import SIZES as TARGET_SIZES
from .words import FEWEST_WORDS, MOST_WORDS, RUN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .experiment import Experiment, Result

NAMES = {"bm25": "BM25", "dense": "Embeddings"}
FAST_RETRIEVERS = ("bm25",)
FELT_SIZE = 650

HEAD = """\
# Does it retrieve better?

Written by `python -m evals --docs docs/evaluation.md`; change the program, not this page.

A search over chunks finds what it is asked for, or it does not, and what it finds holds the answer and little
else, or the answer and much else. This page measures both: for the chunks of this library in its forms, and for
those of others, **at equal mean chunk size**, on real packages in five languages, with questions whose answer is
known and does not stand in the question.
"""

METHOD = f"""\
## How it is measured

**Questions.** *doc*: what a function's doc comment says, up to its first tag or example; the comment is cut from
the code, and the function is to be found. *xref*: {LINES_BEFORE + LINES_AFTER + 1} lines around a call; the file they are from is hidden,
and the function that is called is to be found. A search is made in the whole package that the function is from.

**Chunkers.** Each runs in an environment of its own. Its size option is set, for each language, so that the mean
size of its chunks is the one in the heading, in non-whitespace characters of the source (NWS); what stands in
front of the text does not count. What is indexed is the text, or the text with its header where the row says so;
the others' headers stand there once.

**Search.** *BM25*: bm25s {version("bm25s")} with its own settings (Lucene's form, k1 1.5, b 0.75); a text's terms
are its words in small letters, and of a compound name, in camelCase or with underscores, its parts as well.
*Embeddings*: all-MiniLM-L6-v2 as `{MODEL_PACKAGE}` carries it, bfloat16, {TOKENS} tokens, cosine.

**Figures**, means over the questions:

| figure | what it says |
|---|---|
| chunks, size | number of chunks, and their mean NWS |
| felt | the mean NWS of the chunk that a character of the source is in: where it is far above the mean, many crumbs hide large chunks |
| text % | the share of the source that the chunks hold |
| R@k | a hit is among the first k: a chunk that has at least {LEAST_SHARE:.0%} of the function's lines, or, as a piece of a large one may, an IoU of at least {LEAST_IOU} |
| IoU@k | the best intersection over union of lines among the first k: 1 when a chunk is just the function |
| MRR | 1 / rank of the first hit |
| nDCG@10 | each chunk gains the share of the function's lines that it is the first to bring, discounted by log2(rank + 1); 1 when the first chunk brings all, however the chunker cuts |
| lines | the share of the function's lines that are read when chunks are read, best first, until {BUDGET:,} NWS are: fair to chunks of every size |

Differences are paired, question by question; in brackets the 95 % interval of {RESAMPLES:,} bootstrap samples, bold
where it excludes 0.

**Left out**, so that the questions are fair: tests, examples, generated code and type declarations, which are no
part of what is searched; and as functions to be found, those

- in other functions, of fewer than {FEWEST_LINES} lines, or not of {TARGET_SIZES[0]} to {TARGET_SIZES[1]:,} NWS;
- whose name the file defines more than once (overloads);
- of whose runs of {RUN} words more than {COPIED_FUNCTION:.0%} stand elsewhere in the package (copies);
- *doc*: whose comment has fewer than {FEWEST_WORDS} words without the function's own name, which is taken out of
  the question, or does not have its lines for itself; of a long one the first {MOST_WORDS} words are asked;
- *xref*: whose name has fewer than {SHORTEST_NAME} letters, is defined more than once in the package, or is called
  in another package of the language as well (then it is no name of this package's own); calls
  whose form can not mean the function, as `x.f()` can not where `f` is no method;
- questions of whose runs of {RUN} words more than {COPIED_QUESTION:.0%} stand elsewhere in the package.

Functions and calls are found with tree-sitter queries of the evaluation's own; it shares no code with the library.
What is left is taken in an order by hash, from each package in turn, up to a number for each kind and language.

**Two sets** of packages that share none: every choice in the library is made on *tune*; what stands below is
*report*, unless it says otherwise.
"""

LEAK = f"""\
## The setting of the announcement, and how it leaks

The announcement of the original compares chunkers in another way: the question is the very code that is to be
found, word for word in the corpus, and a chunk counts when the IoU of its lines with the question's is at least
{LEAST_IOU}. The tables show that setting (the {PREFIX_LINES} lines that end with a function's header) at equal mean
size. The order that was announced is not found again, and fixed lines, which know nothing of functions, stand level
with the others or, where chunks are large, before all of them: where the words of the question are in the corpus,
every search finds them, a header changes nothing, and what is left to measure is how well a chunk's size and place
fit the question's. Between the two tables, every chunker falls; so at unequal sizes, the size is what is compared.
None of this is counted anywhere else on this page.
"""

HEADERS_TEXT = """\
## What each line of the header does

The same chunks (`packing="definitions"`), with nothing, one line, or several lines in front of the text.
"""

ADVICE = """\
## What we recommend

- **For embedding models**: chunk with `packing="definitions"` and `context_mode="minimal"`, index
  `contextualized_text`, and show or hand on `text`. The row *code-chunk definitions* is that.
- **For lexical indexes** (BM25), the same, and the header three times: a term that stands often in a text counts for
  more there. The row *code-chunk definitions, header thrice* is that:

  ```python
  header = chunk.contextualized_text.partition("\\n\\n")[0]
  text = f"{header}\\n" * 2 + chunk.contextualized_text
  ```

- `packing="definitions"` or `"greedy"`? With definitions, what is found is the function and little else (IoU). With
  greedy packing (the rows *minimal*) a chunk often holds several small functions, so that more of them are found
  (R@k, and in BM25 some MRR), with more around each. Take greedy where a reader has room, definitions where the
  chunk itself is the answer.
- `context_mode="full"` (the default) is for readers that see one chunk alone; its neighbours' names and the overlap
  are in the way of a search.
- Choose `max_chunk_size` by what reads the chunks. A mean size depends on the code; the table of knobs below says
  which limits gave which means here.
"""


FELT = """\
## At equal size where the text is

A mean over chunks counts a crumb of three characters like a chunk of a thousand. A chunker that leaves many crumbs
has larger chunks at the same mean, as the column *felt* shows, and with these it hits more often, and brings more
that was not asked for. So here the size options are set anew, until the *felt* sizes are equal.
"""


def page(experiments: dict[str, Experiment], sizes: Sequence[int], retrievers: Sequence[str]) -> str:
    """Return the page."""
    parts = [HEAD, *_summary(experiments["report"], sizes, retrievers), METHOD]
    for name, experiment in experiments.items():
        parts += [f"Questions of *{name}*, chosen of those found:", report.tasks_table(experiment.bench)]
    parts.append(ADVICE)
    parts += _all_tables(experiments["report"], sizes, retrievers)
    felt = experiments["report"].by_mean_of("character")
    parts += [
        FELT,
        f"BM25, felt size {FELT_SIZE}:",
        *_pair(felt, _rows(felt, FELT_SIZE, "bm25"), RECOMMENDED["bm25"]),
    ]
    parts += [HEADERS_TEXT, *_headers(experiments["report"], sizes[0], FAST_RETRIEVERS)]
    parts += [LEAK, *_leaks(experiments["report"], sizes)]
    parts += ["## The same on *tune*, BM25"]
    parts += _tune(experiments["tune"], sizes, FAST_RETRIEVERS)
    parts += _reproduction(experiments, sizes)
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _rows(experiment: Experiment, size: int, retriever: str) -> list[Result]:
    return experiment.results(rows_for(retriever), size, retriever)


def _summary(experiment: Experiment, sizes: Sequence[int], retrievers: Sequence[str]) -> Iterator[str]:
    """Two figures of every row, everywhere."""
    columns = [(retriever, size) for retriever in retrievers for size in sizes]
    results = [_rows(experiment, size, retriever) for retriever, size in columns]
    for metric in ("MRR", "IoU@5"):
        head = [metric, *(f"{NAMES[retriever]}, {size}" for retriever, size in columns)]
        found = [{own.row: report.overall(experiment.bench, own, metric) for own in part} for part in results]
        yield report.table(
            head, [[row, *(part.get(row, "") for part in found)] for row in {**OURS, **OTHERS}]
        )


def _pair(experiment: Experiment, results: Sequence[Result], base: str) -> Iterator[str]:
    yield report.figures_table(experiment.bench, results, report.is_leak_free)
    yield report.differences_table(experiment.bench, results, base, report.is_leak_free)


def _all_tables(experiment: Experiment, sizes: Sequence[int], retrievers: Sequence[str]) -> Iterator[str]:
    for retriever in retrievers:
        for size in sizes:
            results = _rows(experiment, size, retriever)
            yield f"## {NAMES[retriever]}, mean size {size}"
            yield from _pair(experiment, results, RECOMMENDED[retriever])
            yield "By kind and language:"
            yield report.parts_table(experiment.bench, results, "MRR")
            yield from report.failures(results)


def _headers(experiment: Experiment, size: int, retrievers: Sequence[str]) -> Iterator[str]:
    for retriever in retrievers:
        results = experiment.results(HEADERS, size, retriever)
        yield f"{NAMES[retriever]}, mean size {size}:"
        yield from _pair(experiment, results, NO_HEADER)


def _leaks(experiment: Experiment, sizes: Sequence[int]) -> Iterator[str]:
    for size in sizes:
        yield f"LEAKY. BM25, mean size {size}:"
        yield report.leaky_table(experiment.bench, _rows(experiment, size, "bm25"))


def _tune(experiment: Experiment, sizes: Sequence[int], retrievers: Sequence[str]) -> Iterator[str]:
    for retriever in retrievers:
        for size in sizes:
            yield f"{NAMES[retriever]}, mean size {size}:"
            results = _rows(experiment, size, retriever)
            yield report.figures_table(experiment.bench, results, report.is_leak_free)


def _reproduction(experiments: dict[str, Experiment], sizes: Sequence[int]) -> Iterator[str]:
    yield """\
## How to reproduce it

In a clone of the repository, with `pip install -e '.[dev]'` and the clients of npm, PyPI and Debian (`npm`, `pip`,
`apt-get` with fresh lists: `apt-get update`, on Debian bookworm), nothing else:

```console
python -m evals --set report --size 600 --retriever bm25
python -m evals --set report --size 600 --retriever dense
python -m evals --help
```

The first run fetches the packages, makes the environments, and chunks; embeddings take an hour or two on two cores.
All of it is kept, and a second run takes a minute. The figures of BM25 are the same to the digit, on any machine,
as long as the digest is."""
    rows = [[name, experiment.bench.digest] for name, experiment in experiments.items()]
    yield report.table(["set", "digest of its files and questions"], rows)
    for name in experiments:
        packages = [f"{package.name} {package.version} ({package.registry})" for package in SETS[name]]
        yield f"*{name}*: {', '.join(packages)}."
    peers = [requirement for name, own in ENVIRONMENTS.items() if name != "model" for requirement in own]
    yield f"The others: {', '.join(dict.fromkeys(peers))}. What there is to say of them:"
    yield """\
- chonkie, semantic-text-splitter and LangChain count their limit in characters with whitespace;
- astchunk knows Python, Java and TypeScript, and runs on Go and Rust with their grammars given to it; what stands
  in no leaf that fits its limit is in none of its chunks, as the column *text %* tells;
- omnichunk's header is put in front of every chunk; by itself it leaves it out where text and header together
  are over the limit."""
    yield "Size options that gave the mean sizes, on *report*:"
    languages = experiments["report"].chunking.languages
    knobs: list[list[str]] = []
    for size in sizes:
        for result in _rows(experiments["report"], size, "bm25"):
            own = [str(result.knobs[language]) for language in languages]
            if not knobs or own != knobs[-1][1:]:  # one line for all forms of a chunker
                knobs.append([f"{result.row.removesuffix(' raw')}, {size}", *own])
    yield report.table(["", *languages], knobs)
    yield f"Measured with code-chunk {version('code-chunk')}, Python {platform.python_version()}."
