"""The command `forgetting`. Every error is one sentence on stderr; exit codes are a contract."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Any

import typer

from proofs_check.cli import (
    browse,
    certify,
    compare,
    doctor,
    evaluate,
    recheck,
    refute,
    simulate,
    verify,
)
from proofs_check.errors import InputError

app = typer.Typer(
    name="forgetting",
    help="Verifies the theory of forgetting in post-training, theorem by theorem.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("list")(browse.list_theorems)
app.command("show")(browse.show)
app.command("eval")(evaluate.evaluate)
app.command("verify")(verify.verify)
app.command("simulate")(simulate.simulate)
app.command("compare")(compare.compare)
app.command("refute")(refute.refute)
app.command("certify")(certify.certify)
app.command("recheck")(recheck.recheck)
app.command("doctor")(doctor.doctor)


# typer carries its own copy of click, which has no public name for this class
_UsageProblem: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed_version

        typer.echo(f"forgetting {installed_version('forgetting')}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    sys.exit(_run())


def _run() -> int:
    try:
        outcome = app(standalone_mode=False)
    except InputError as wrong:
        return _say(str(wrong))
    except _UsageProblem as wrong:
        return _say(_plainly(" ".join(wrong.format_message().split())))
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("forgetting: interrupted", err=True)
        return 130
    return outcome if isinstance(outcome, int) else 0


def _plainly(message: str) -> str:
    """typer's words for a number that cannot be read, without its parser's."""
    return re.sub(
        r"Input should be a valid (integer|number)\b.*",
        lambda found: f"{'a whole' if found[1] == 'integer' else 'a'} number is expected",
        message,
    )


def _say(sentence: str) -> int:
    typer.echo(f"forgetting: {sentence}", err=True)
    return 2
