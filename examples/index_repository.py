"""Index a repository: chunk its files in worker processes, and write each chunk to a JSONL file.

The progress bar is rich's, which the extra `cli` brings.
"""

import argparse
import json
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from code_chunk import BatchResult, chunk_batch_stream, walk_repository


def records(result: BatchResult, root: Path) -> list[dict[str, object]]:
    """What to embed and to store of a file."""
    return [
        {
            "id": chunk.id,
            "path": Path(result.filepath).relative_to(root).as_posix(),
            "lines": [chunk.line_range.start + 1, chunk.line_range.end + 1],
            "text": chunk.contextualized_text,  # here: its embedding
        }
        for chunk in result.chunks or ()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path, nargs="?", default=Path(), help="the repository (default: here)")
    parser.add_argument("--index", type=Path, default=Path("index.jsonl"), help="the file to write")
    parser.add_argument(
        "--concurrency", type=int, help="worker processes at most (default: one for each CPU)"
    )
    arguments = parser.parse_args()

    files = list(walk_repository(arguments.root))  # has a length to show; else give the walk itself
    count, failures = 0, []
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        bar,
        arguments.index.open("w", encoding="utf-8", errors="surrogateescape") as index,
        chunk_batch_stream(files, concurrency=arguments.concurrency, timeout=60) as results,
    ):
        for result in bar.track(results, total=len(files), description="Chunking"):
            if result.error:
                failures.append(f"{result.filepath}: {result.error}")
            for record in records(result, arguments.root):
                index.write(json.dumps(record) + "\n")
                count += 1
    print(f"{count} chunks of {len(files) - len(failures)} files in {arguments.index}")
    for failure in failures:
        print(f"left out: {failure}")


if __name__ == "__main__":
    main()
