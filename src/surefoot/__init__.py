"""Surefoot: know how your model holds its footing when the data shifts."""

__version__ = "0.1.0"
