"""What every kind of trials on a dataset of the cards asks."""

from __future__ import annotations

from hashlib import sha256

from surefoot import data
from surefoot.data import _cache
from surefoot.errors import DownloadError, InputError


def checksum(name: str) -> str:
    """Of the original files that a package promises; of the user's own copy where no package has them."""
    card = data.card(name)
    if card.files:
        return sha256("\n".join(file.sha256 for file in card.files).encode()).hexdigest()
    stored = _cache.provenance(card)
    return str(stored["parquet"]["sha256"]) if stored else "absent"


def fetch(name: str, download: bool) -> str:
    """Have a dataset in the cache; why it cannot be had, or nothing."""
    try:
        (data.fetch if download else data.path)(name)
    except (DownloadError, InputError) as error:
        return str(error)
    return ""
