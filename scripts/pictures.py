"""Pictures of report pages for the README, by headless Chromium.

    python scripts/pictures.py SCORECARD.html [COMPARISON.html]

writes docs/images/report.png (the top of the page, on a desk), report-phone.png, report-dark.png and, of a second
page, comparison.png. `make demo` makes the first page.
"""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from PIL import Image

from browser import Browser, browser

FOLDER = Path(__file__).parents[1] / "docs" / "images"
MOST_BYTES = 300_000

OF_SCORECARD = {
    "report.png": {"selector": "#verdict", "width": 1280, "height": 1150, "dark": False},
    "report-curves.png": {"selector": "#retention", "width": 1280, "height": 900, "dark": False},
    "report-dark.png": {"selector": "#confidence", "width": 1280, "height": 640, "dark": True},
    "report-phone.png": {"selector": "#verdict", "width": 390, "height": 1500, "dark": False},
}
OF_COMPARISON = {
    "comparison.png": {"selector": "#verdict", "width": 1280, "height": 1150, "dark": False},
    "comparison-ranks.png": {"selector": "#ranks", "width": 1280, "height": 680, "dark": False},
}


def main(pages: list[Path]) -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with browser() as opened:
        for page, pictures in zip(pages, (OF_SCORECARD, OF_COMPARISON), strict=False):
            for name, look in pictures.items():
                picture = taken(opened, page.resolve(), **look)
                if len(picture) > MOST_BYTES:
                    raise SystemExit(f"{name} has {len(picture):,} bytes, more than {MOST_BYTES:,}")
                (FOLDER / name).write_bytes(picture)
                print(f"{FOLDER / name}: {len(picture):,} bytes")


def taken(opened: Browser, page: Path, *, selector: str, width: int, height: int, dark: bool) -> bytes:
    """A picture from the top of a part of the page on (from the very top if that is the verdict)."""
    opened.open(page, width=width, dark=dark)
    top = opened.run(
        "return arguments[0] === '#verdict' ? 0 :"
        " document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY",
        selector,
    )
    opened.run("document.querySelector('nav').style.position = 'static'")
    clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1.5 if width < 600 else 1}
    shot = opened.driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip, "format": "png"}
    )
    return _small(base64.b64decode(shot["data"]))


def _small(picture: bytes) -> bytes:
    """The same with a palette of 256 colours, a third of the size."""
    out = io.BytesIO()
    colours = Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    colours.save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main([Path(argument) for argument in sys.argv[1:]])
