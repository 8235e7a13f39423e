"""A number or word that a recipe may set: what it is by default, and which values it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from surefoot.errors import InputError

Value = str | int | float | bool


@dataclass(frozen=True)
class Setting:
    """A default, of whose type every value is, and the bounds or words that are allowed."""

    default: Value
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()
    about: str = ""

    def __str__(self) -> str:
        if self.words:
            return f"one of {', '.join(self.words)}"
        if isinstance(self.default, bool):
            return "true or false"
        what = "a whole number" if isinstance(self.default, int) else "a number"
        if self.low is not None and self.high is not None:
            return f"{what} from {self.low:g} to {self.high:g}"
        return f"{what} of at least {self.low:g}" if self.low is not None else what

    def checked(self, field: str, value: Any) -> Value:
        """The value, or a sentence that names the field and what it allows.

        >>> Setting(100, 1).checked("settings.trees", 0)
        Traceback (most recent call last):
        surefoot.errors.InputError: settings.trees is 0; give a whole number of at least 1
        """
        fits = type(value) is type(self.default) or (type(self.default) is float and type(value) is int)
        if fits and isinstance(value, str):
            fits = value in self.words
        elif fits and not isinstance(value, bool):
            fits = (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        if not fits:
            raise InputError(f"{field} is {value!r}; give {self}")
        given: Value = float(value) if type(self.default) is float else value
        return given


def checked_settings(field: str, known: Mapping[str, Setting], given: Any) -> dict[str, Value]:
    """Every setting that is known, as given or by default; a strange one is refused."""
    if not isinstance(given, Mapping):
        raise InputError(f"{field} is {given!r}; give a mapping with {', '.join(known) or 'nothing'}")
    strange = [str(name) for name in given if name not in known]
    if strange:
        allowed = f"there are {', '.join(known)}" if known else "there are none"
        raise InputError(f"{field}.{strange[0]} is no setting here; {allowed}")
    return {
        name: setting.checked(f"{field}.{name}", given[name]) if name in given else setting.default
        for name, setting in known.items()
    }
