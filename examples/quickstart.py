"""Chunk one file and look at what each chunk knows about itself."""

from code_chunk import chunk

SOURCE = '''\
import json

class Store:
    """Keeps values by name."""

    def load(self, path):
        with open(path) as file:
            self.values = json.load(file)

    def get(self, name):
        return self.values[name]
'''

for piece in chunk("shop/store.py", SOURCE, max_chunk_size=120):
    lines = piece.line_range
    print(f"--- chunk {piece.index + 1} of {piece.total_chunks}, lines {lines.start + 1} to {lines.end + 1}")
    print(piece.contextualized_text)
