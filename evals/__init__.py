"""Does it retrieve better? Chunkers compared by what a search over their chunks finds: ``python -m evals``.

The flow, each step a module:

  recipe        packages by name and version -> source files
  syntax        files -> functions with their doc comments, and calls; it shares no code with ``code_chunk``
  tasks         functions and calls -> questions, and the corpus that they are asked of
  rows          which chunkers, ours and others, and which texts of theirs are indexed
  environments  a virtual environment for each of the others
  peers         what runs in there: one chunker, files -> chunks
  chunking      a row and a mean size -> chunks, the knob calibrated, the result kept on disk
  retrieval     chunks -> rankings, by BM25 or by embeddings (dense; embedder computes them)
  metrics       rankings -> figures and their intervals
  report        figures -> tables, and ``docs/evaluation.md``
"""
