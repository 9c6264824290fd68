"""The level of significance: one name in all commands, which --alpha leads to."""

import click
import pytest
from click.testing import CliRunner

import rouge_cli
from rouge_cli.cli.main import group
from rouge_cli.errors import UsageError

TEXTS = {"a": ["x y", "z"], "b": ["x", "u"]}
REFERENCES = ["x y", "z"]


def commands() -> dict[str, click.Command]:
    """Return all commands."""
    context = click.Context(group)
    named = {
        name: group.get_command(context, name) for name in group.list_commands(context)
    }
    return {name: command for name, command in named.items() if command}


def visible_options(command: click.Command) -> dict[str, str]:
    """Return the options in the help of a command with their help texts."""
    return {
        param.opts[-1]: param.help or ""
        for param in command.params
        if isinstance(param, click.Option) and not param.hidden
    }


WITH_TESTS = [
    name
    for name, command in commands().items()
    if any("ignificance" in text for text in visible_options(command).values())
]


def test_it_has_one_name() -> None:
    """Every command with a level of significance calls it --significance."""
    assert {"compare", "plan", "sweep"} == {*WITH_TESTS}
    for name in WITH_TESTS:
        of_significance = [
            option
            for option, text in visible_options(commands()[name]).items()
            if "ignificance level" in text
        ]
        assert ["--significance"] == of_significance


@pytest.mark.parametrize("name", WITH_TESTS)
@pytest.mark.parametrize("value", ["0.05", "0.01", ".5", "1", "0"])
def test_alpha_is_refused_with_the_remedy(name: str, value: str) -> None:
    """--alpha, whatever its value, is refused before any file is read, with the option
    for the level and the option for F.
    """
    human = ["--human", "no.csv"] if name == "sweep" else []
    result = CliRunner().invoke(group, [name, "no.jsonl", *human, "--alpha", value])

    assert isinstance(result.exception, UsageError)
    assert result.exception.exit_code == 2
    assert "--significance " in str(result.exception)
    assert "alpha=" in str(result.exception)


@pytest.mark.parametrize("study", [rouge_cli.compare, rouge_cli.plan])
def test_python_has_the_same_names(study: object) -> None:
    """`significance` and `level` are the same in Python, and alpha is refused with
    these names, beside texts and beside scores.
    """
    texts = (TEXTS, REFERENCES, "R1")
    scores = rouge_cli.score(*texts, samples=0)

    def result(*source: object, **options: object) -> str:
        found = study(*source, notify=lambda _: None, **options)  # type: ignore[operator]
        return str(found.to_json())

    assert result(*texts, significance=0.01) == result(*texts, level=0.01)
    assert result(*texts, significance=0.01) != result(*texts)
    for source in (texts, (scores,)):
        with pytest.raises(UsageError, match=r"significance=0\.05.*score\(..., alpha"):
            result(*source, alpha=0.05)
    with pytest.raises(UsageError, match="together"):
        result(*texts, significance=0.01, level=0.02)


def test_alpha_of_a_score_remains() -> None:
    """Scores with another weight of precision can be compared: score first."""
    weighted = rouge_cli.score(TEXTS, REFERENCES, "R1", alpha=0.05, samples=0)
    usual = rouge_cli.score(TEXTS, REFERENCES, "R1", samples=0)
    means = [
        rouge_cli.compare(scores, notify=lambda _: None).standings[-1].mean.value
        for scores in (weighted, usual)
    ]

    assert means[0] != means[1]
