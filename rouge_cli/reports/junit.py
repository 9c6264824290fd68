"""JUnit XML for CI servers: a test case for each system and each bound of
`--fail-under`.

A failed case has the message of the bound. Without bounds, the report has a case for
each column of the table, and all are passed.
"""

from xml.etree import ElementTree as ET

from rouge_cli.errors import escape
from rouge_cli.results.base import Gated, Layout

NEEDS = "cases"


def render(result: Gated, layout: Layout) -> str:
    """Return the test suite, with the signature as a property."""
    cases = [tuple(map(escape, case)) for case in result.cases(layout)]
    failures = sum(message != "" for _, _, message in cases)
    suite = ET.Element(
        "testsuite", name="rouge-cli", tests=str(len(cases)), failures=str(failures)
    )
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(
        properties, "property", name="signature", value=escape(result.signature)
    )
    for system, name, message in cases:
        case = ET.SubElement(suite, "testcase", classname=system, name=name)
        if message:
            ET.SubElement(case, "failure", message=message)
    ET.indent(suite)
    return (
        '<?xml version="1.0"'
        f' encoding="utf-8"?>\n{ET.tostring(suite, encoding="unicode")}\n'
    )
