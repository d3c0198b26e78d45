"""Stream the chunks of a large file inside an async service, while other tasks go on."""

import asyncio
import sys
import tempfile
from pathlib import Path

from code_chunk import chunk_stream


async def index(path: Path) -> int:
    """Hand each chunk over as soon as it is made; nothing but a part of the file is in memory."""
    characters = 0
    async for piece in chunk_stream(path):
        characters += len(piece.contextualized_text)  # here: embed and store
    return characters


async def heartbeat(done: asyncio.Event) -> int:
    """Stand for the other requests of the service."""
    beats = 0
    while not done.is_set():
        beats += 1
        await asyncio.sleep(0.01)
    return beats


async def main(path: Path) -> None:
    done = asyncio.Event()
    other = asyncio.create_task(heartbeat(done))
    characters = await index(path)
    done.set()
    print(f"{path.name}: {characters:,} characters to embed; the event loop went on: {await other > 1}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(main(Path(sys.argv[1])))
    else:
        with tempfile.TemporaryDirectory() as folder:
            large = Path(folder, "large.py")
            functions = (f"def f{n}(x):\n    return x + {n}\n" for n in range(20_000))
            large.write_text("\n".join(functions))
            asyncio.run(main(large))
