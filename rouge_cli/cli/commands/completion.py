"""`rouge-cli completion`: shell completion for our commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from rouge_cli.cli import streams

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete rouge-cli's commands and options.

    Example: eval "$(rouge-cli completion bash)"
    """
    completion_class = get_completion_class(shell)
    if completion_class:
        root = context.find_root().command
        script = completion_class(root, {}, "rouge-cli", "_ROUGE_CLI_COMPLETE").source()
        streams.emit(f"{script}\n")
