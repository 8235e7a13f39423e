"""The leaderboard: stored runs as a folder of pages that need no server (extra `report`)."""

from surefoot.bench.board._site import write_site

__all__ = ["write_site"]
