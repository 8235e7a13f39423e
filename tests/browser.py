"""A headless Chromium that looks at pages: what it asks the network for, what it says, what it shows."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.common import TimeoutException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
)
_READY = (
    "return document.querySelectorAll('figure .ready').length === document.querySelectorAll('figure').length"
)


class Browser:
    """One page at a time, in a window of a chosen width and colour scheme."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, page: Path, *, width: int = 1280, dark: bool = False) -> None:
        """Show a file and wait until its figures are live."""
        self.driver.get("about:blank")
        for log in ("browser", "performance"):
            self.driver.get_log(log)  # what was before
        self.resize(width, dark=dark)
        self.driver.get(page.as_uri())
        try:
            WebDriverWait(self.driver, 20, poll_frequency=0.05).until(lambda _: self.run(_READY))
        except TimeoutException:
            raise AssertionError(f"figures are not live; the console says {self.console()}") from None

    def resize(self, width: int, *, dark: bool = False, height: int = 900, scale: float = 1) -> None:
        """Another window."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a piece of JavaScript returns."""
        return self.driver.execute_script(script, *arguments)

    def console(self) -> list[str]:
        """What the page has said since it was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """What the page has asked for since it was opened, but for pieces of itself."""
        found = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [
            entry["params"]["request"]["url"]
            for entry in found
            if entry["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in urls if not url.startswith("data:")]


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with an empty profile."""
    paths = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in paths.items() if path is None]
    if missing:
        raise RuntimeError(f"there is no {' and no '.join(missing)}; run: scripts/browser.sh")
    options = ChromeOptions()
    options.binary_location = str(paths["chromium"])
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = Chrome(options=options, service=Service(str(paths["chromedriver"])))
        try:
            yield Browser(driver)
        finally:
            driver.quit()
