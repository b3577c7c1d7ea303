"""Pages in headless Chromium, at a width and in a colour scheme, and what it says of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

CHROMIUM = "/usr/bin/chromium"
DRIVER = "/usr/bin/chromedriver"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Browser:
    driver: webdriver.Chrome

    def show(self, page: Path, width: int, scheme: str) -> None:
        """Loads a file in a window of this width, in light or dark mode."""
        self.open(page.resolve().as_uri(), width, scheme)

    def open(self, address: str, width: int, scheme: str) -> None:
        """Loads the page at an address likewise."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get(address)

    def evaluate(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def violations(self) -> list[str]:
        """The violations that axe finds in the page, with the first place of each kind."""
        found = Axe().run(self.driver)["violations"]
        return [f"{each['id']}: {len(each['nodes'])}: {each['nodes'][0]['html'][:200]}" for each in found]

    def messages(self) -> list[str]:
        """The messages of the console since the last call."""
        return [each["message"] for each in self.driver.get_log("browser")]


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    options = Options()
    options.binary_location = CHROMIUM
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_script_timeout(PATIENCE_SECONDS)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
