"""Code that somebody is typing."""
import os
from typing import

def first(a, b:
    return a + b


class Half:
    def whole(self):
        return 1

    def torn(self
        """Doc."""
        return [1, 2

    @property
    def
    x = )))


def after():
    """Fine again."""
    return os.sep

if first(
