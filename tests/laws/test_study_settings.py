"""The settings of studies: one declaration for commands and for the Python API."""

from collections.abc import Callable
from inspect import signature
from typing import Any, get_type_hints

import click
import pytest

import rouge_cli
from rouge_cli.cli.main import group
from rouge_cli.errors import UsageError
from rouge_cli.results.comparison import Plan
from rouge_cli.results.correlation import CorrelationPlan, SweepPlan
from rouge_cli.results.planning import Goal
from rouge_cli.results.study_settings import declarations

STUDIES: dict[str, tuple[Callable[..., Any], type[Any]]] = {
    "compare": (rouge_cli.compare, Plan),
    "plan": (rouge_cli.plan, Goal),
    "correlate": (rouge_cli.correlate, CorrelationPlan),
    "sweep": (rouge_cli.sweep, SweepPlan),
}
# A field -> its other names, of the parameter and of the option.
PARAMETERS = {"level": "significance"}
OPTIONS = {
    "level": "--significance",
    "levels": "--level",
    "coefficients": "--coefficient",
}
# Settings with several values
SEVERAL = {"levels", "coefficients"}
CASES = [
    (study, name)
    for study, (_, record) in STUDIES.items()
    for name in declarations(record)
]


@pytest.mark.parametrize(("study", "name"), CASES)
def test_a_parameter_has_the_declared_default(study: str, name: str) -> None:
    """Every declared setting is a keyword of the Python function, with the declared
    default and type.
    """
    function, record = STUDIES[study]
    declared = declarations(record)[name]
    parameter = signature(function).parameters[PARAMETERS.get(name, name)]

    assert parameter.kind is parameter.KEYWORD_ONLY
    if name in SEVERAL:  # any iterable; None, or the names of the usual ones
        assert parameter.default in (None, declared.default)
        return
    kind = get_type_hints(record)[name]
    assert declared.default == parameter.default
    assert parameter.annotation in (kind, kind.__name__)


@pytest.mark.parametrize(("study", "name"), CASES)
def test_an_option_has_the_declared_help(study: str, name: str) -> None:
    """Every declared setting is an option of the command, with the declared help and
    default.
    """
    declared = declarations(STUDIES[study][1])[name]
    command = group.get_command(click.Context(group), study)
    assert command
    names = {param.opts[0]: param for param in command.params if param.name != "level"}
    option = names[OPTIONS.get(name, f"--{name}")]

    assert isinstance(option, click.Option)
    assert declared.help == option.help
    if name not in OPTIONS:
        assert declared.default == option.default


@pytest.mark.parametrize(("study", "name"), CASES)
@pytest.mark.parametrize("wrong", [-1, "often"])
def test_a_wrong_value_is_refused_by_its_name(
    study: str, name: str, wrong: object
) -> None:
    """A value that is out of range is refused in Python with the parameter's name."""
    function, _ = STUDIES[study]
    name = PARAMETERS.get(name, name)
    needed = {"human": {"a": 1.0}} if study in {"correlate", "sweep"} else {}
    value = [wrong] if name in SEVERAL else wrong

    with pytest.raises(UsageError, match=name):
        function({"a": ["x"]}, **{**needed, name: value})


@pytest.mark.parametrize("name", ["trials", "over", "baseline"])
def test_a_page_has_the_settings_of_a_comparison(name: str) -> None:
    """`report` compares with the defaults of `compare`, in Python and as a command."""
    usual = Plan()._asdict()[name]
    command = group.get_command(click.Context(group), "report")
    assert command
    (option,) = (param for param in command.params if param.name == name)

    assert usual == signature(rouge_cli.report).parameters[name].default
    assert usual == option.default
