"""All commands of `rouge-cli`, with the words that call them."""

from collections.abc import Iterator

import click

from rouge_cli.cli.main import group


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command below `rouge-cli`, those of its groups included."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from (
                (f"{name} {other}", below) for other, below in command.commands.items()
            )
