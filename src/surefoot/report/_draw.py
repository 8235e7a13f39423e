"""From a chart to what can be shown: a themed specification and picture for pages; SVG, PDF and PNG files."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from os import PathLike
from typing import Any

import vl_convert

from surefoot._atomic import atomic
from surefoot.report import _extra, _style

Chart = _style.Chart
Spec = dict[str, Any]

_PNG_SCALE = 2
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


def page_spec(chart: Chart, *, check: bool = True) -> Spec:
    """The specification with variables for colours, without the look that all figures of a page share.

    To check it against the schema takes most of the time.
    """
    spec: Spec = _style.themed(chart.to_dict(validate=check))
    return {key: value for key, value in spec.items() if key not in ("$schema", "config")}


def page_config() -> Spec:
    """That look."""
    look: Spec = _style.themed(_style.config())
    return look | {"font": _style.PAGE_FONT}


def page_svg(spec: Spec) -> str:
    """A picture of the specification; what is there only to be pointed at is left out."""
    return str(vl_convert.vegalite_to_svg({**_still(spec), "config": page_config()}))


def file_svg(chart: Chart) -> str:
    """A picture on white paper."""
    return str(vl_convert.vegalite_to_svg(_on_paper(chart)))


def _on_paper(chart: Chart) -> Spec:
    return _still(chart.to_dict()) | {"background": _style.PAPER.light, "padding": 12}


def _still(spec: Spec) -> Spec:
    return {**spec, "layer": [layer for layer in spec["layer"] if layer.get("name") != _style.POINTED_AT]}


def save(chart: Chart, path: str | PathLike[str]) -> None:
    """Write a chart as `.svg`, `.pdf` or `.png`, completely or not at all."""
    written = _WRITERS[_extra.figure_format(path)](chart)
    with atomic(path) as temporary:
        temporary.write_bytes(written)


_WRITERS: dict[str, Callable[[Chart], bytes]] = {
    ".svg": lambda chart: file_svg(chart).encode(),
    ".pdf": lambda chart: vl_convert.vegalite_to_pdf(_on_paper(chart)),
    ".png": lambda chart: vl_convert.vegalite_to_png(_on_paper(chart), scale=_PNG_SCALE),
}


@lru_cache(maxsize=1)
def script() -> str:
    """Vega, Vega-Lite and Vega-Embed, 0.9 MB, out of the package that carries them."""
    return str(vl_convert.javascript_bundle(_SNIPPET)).replace("</script", "<\\/script")
