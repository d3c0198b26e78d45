"""The program ``code-chunk``."""

import sys

from code_chunk.cli import main

if __name__ == "__main__":
    sys.exit(main())
