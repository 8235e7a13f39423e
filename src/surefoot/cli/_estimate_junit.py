"""Estimates as a JUnit file, which build servers show: a test a batch, failed where its gate failed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from surefoot._atomic import atomic
from surefoot.estimators import Estimate

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(found: Mapping[str, Estimate], min_accuracy: float | None, path: Path) -> None:
    """Write the estimates of batches by name; a lower bound under ``min_accuracy`` is a failure."""
    failed = {name for name, one in found.items() if min_accuracy is not None and one.low < min_accuracy}
    suite = ElementTree.Element(
        "testsuite",
        name="surefoot estimate",
        tests=str(len(found)),
        failures=str(len(failed)),
        errors="0",
        skipped="0",
    )
    for name, one in found.items():
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"surefoot.{one.metric}", name=_clean(name)
        )
        if name in failed:
            message = f"{one.metric} may be as low as {one.low:.3f}, under {min_accuracy:g}"
            ElementTree.SubElement(case, "failure", type="gate", message=message).text = _clean(str(one))
        ElementTree.SubElement(case, "system-out").text = _clean(str(one))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    with atomic(path) as temporary:
        ElementTree.ElementTree(root).write(temporary, encoding="utf-8", xml_declaration=True)


def _clean(text: str) -> str:
    """Without the control characters that XML cannot hold."""
    return _NOT_IN_XML.sub("�", text)
