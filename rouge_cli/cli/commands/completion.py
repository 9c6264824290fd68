"""`rouge-cli completion`: print the script that completes commands in a shell."""

import click
from click.shell_completion import get_completion_class

from rouge_cli.cli import streams

SECTION = "Look up"


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands in a shell.

    It completes commands, options and their values.

    Example: eval "$(rouge-cli completion bash)"
    """
    completion = get_completion_class(shell)
    if completion:
        group = context.find_root().command
        script = completion(group, {}, "rouge-cli", "_ROUGE_CLI_COMPLETE")
        streams.emit(f"{script.source()}\n")
