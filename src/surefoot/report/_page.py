"""The frame of a page: head, style, contents, sections, scripts. One file that asks for nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from surefoot import __version__
from surefoot.errors import InputError
from surefoot.report import _draw, _html
from surefoot.report._html import paragraph, tag, text


@dataclass(frozen=True)
class Section:
    """A part of a page: its name in addresses, its heading, and its markup."""

    name: str
    heading: str
    inside: str
    lead: str = ""
    link: str = ""
    """What the contents call it, if not by its heading."""


def page(
    title: str,
    kind: str,
    facts: str,
    sections: Iterable[Section],
    script: str,
    *,
    style: str = "",
    above: Mapping[str, str] | None = None,
) -> str:
    """A whole page; `script` is "inline", or the URL of a file that `surefoot.report.script` wrote.

    Pages of a site share more: `style` is the URL of a file of `style_sheet`, and their script file holds `page_script`
    too, with `look_of_figures` as `window.surefoot.look`; `above` are the pages above this one, by their names.
    """
    parts = [section for section in sections if section.inside]
    links = "".join(
        tag("li", tag("a", text(part.link or part.heading), href=f"#{part.name}")) for part in parts
    )
    header = tag(
        "header",
        tag("p", f"{_MARK}{tag('span', 'Surefoot', class_='brand')} {text(kind)}", class_="kind")
        + _trail(above or {})
        + tag("h1", text(title))
        + paragraph(facts, class_="facts"),
    )
    look = tag("script", _html.inert_json(look_of_figures()), type="application/json", id="look")
    body = "".join(
        tag(
            "section",
            tag("h2", text(part.heading), id=f"{part.name}-heading")
            + (paragraph(part.lead, class_="lead") if part.lead else "")
            + part.inside,
            id=part.name,
            aria_labelledby=f"{part.name}-heading",
        )
        for part in parts
    )
    scripts, allowed = _scripts(script, "" if style else page_script())
    sheets = "'self' file: " if style else ""
    policy = (
        f"default-src 'none'; script-src {allowed} 'unsafe-eval'; style-src {sheets}'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = (
        '<meta charset="utf-8">'
        + f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">'
        + '<meta name="viewport" content="width=device-width, initial-scale=1">'
        + '<meta name="color-scheme" content="light dark">'
        + f'<meta name="generator" content="surefoot {text(__version__)}">'
        + '<link rel="icon" href="data:,">'
        + tag("title", f"{text(title)} · {text(kind)}")
        + (f'<link rel="stylesheet" href="{text(style)}">' if style else tag("style", style_sheet()))
    )
    contents = tag("nav", tag("ul", links), aria_label="Contents")
    first = "verdict" if any(part.name == "verdict" for part in parts) else "content"
    skip = tag("a", f"Skip to the {first}", class_="skip", href="#main")
    footer = tag(
        "footer", paragraph(f"Made by surefoot {__version__}. This file asks nothing of any network.")
    )
    return (
        "<!DOCTYPE html>\n"
        + tag(
            "html",
            tag("head", head)
            + tag(
                "body",
                skip
                + header
                + contents
                + tag("main", body, id="main", tabindex="-1")
                + footer
                + ("" if style else look)
                + scripts,
            ),
            lang="en",
        )
        + "\n"
    )


def page_script() -> str:
    """What makes the figures of a page live."""
    return _resource("page.js")


def look_of_figures() -> dict[str, Any]:
    """What all figures of pages look like."""
    return _draw.page_config()


def style_sheet() -> str:
    """What all pages look like."""
    return _html.inks() + _resource("page.css")


def _trail(above: Mapping[str, str]) -> str:
    """Links to the pages above this one, from the top on."""
    links = " › ".join(tag("a", text(name), href=url) for name, url in above.items())
    return tag("p", links, class_="trail") if links else ""


def _scripts(script: str, own: str) -> tuple[str, str]:
    """Script elements, and what the page's policy allows: these and no others."""
    if script == "inline":
        library = _draw.script()
        return f"<script>{library}</script><script>{own}</script>", f"{_digest(library)} {_digest(own)}"
    where = urlsplit(script)
    if not script or where.scheme not in ("", "http", "https", "file") or not _PLAIN.fullmatch(where.netloc):
        raise InputError(f'script must be "inline" or the URL of a script file, not {script!r}')
    source = f"{where.scheme}://{where.netloc}" if where.netloc else "'self' file:"
    shared = f'<script src="{text(script)}"></script>'
    return (f"{shared}<script>{own}</script>", f"{source} {_digest(own)}") if own else (shared, source)


_PLAIN = re.compile(r"[\w.:\[\]-]*")
"""A host without anything that means something to a policy."""


def _digest(code: str) -> str:
    return f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'"


def _resource(name: str) -> str:
    return files("surefoot.report").joinpath(name).read_text(encoding="utf-8")


_MARK = (
    '<svg class="mark" viewBox="0 0 32 24" width="32" height="24" aria-hidden="true" focusable="false">'
    '<path d="M1 21 L11 21 L16 12 L22 12 L31 3" fill="none" stroke="currentColor" stroke-width="3" '
    'stroke-linejoin="round" stroke-linecap="round"/></svg>'
)
