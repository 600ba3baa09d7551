"""`doctor`: checks the installation."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

import click

from zhiwen.config.settings import SettingsError
from zhiwen.diagnostics.doctor import Finding, State, counted, examine_machine, fail, ok, worst
from zhiwen.output.control_characters import harmless, show
from zhiwen.output.terminal import FAILED, json_option, print_json, say
from zhiwen.wiring import settings_of_this_process

_COLOURS: Final = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red"}


@click.command()
@json_option
@click.pass_context
def doctor(context: click.Context, *, as_json: bool) -> None:
    """Check the installation and suggest fixes. The exit code is 1 if a check fails."""
    found = []
    for finding in _findings():
        found.append(finding)
        if as_json:
            print_json(asdict(finding))
        else:
            _print(finding)
    if not as_json:
        say(", ".join(f"{number} {state}" for state, number in counted(found).items()))
    if worst(found) is State.FAIL:
        context.exit(FAILED)


def _findings() -> Iterator[Finding]:
    from zhiwen.diagnostics.database_checks import examine_store  # noqa: PLC0415  # loaded once the settings are read
    from zhiwen.diagnostics.encoder_check import examine_encoder  # noqa: PLC0415
    from zhiwen.diagnostics.search_check import examine_search  # noqa: PLC0415

    try:
        settings = settings_of_this_process()
    except SettingsError as error:
        yield fail("settings", str(error), "See docs/settings.md.")
        return
    yield ok("settings", "The settings are valid.")
    yield from examine_machine(settings)
    yield examine_encoder(settings)
    yield examine_search(settings)
    yield from examine_store(settings)


def _print(finding: Finding) -> None:
    mark = click.style(f"{finding.state.value:<5}", fg=_COLOURS[finding.state])
    click.echo(f"{mark} {finding.name}: {harmless(finding.says)}")
    if finding.mend and finding.state is not State.OK:
        show(f"      → {finding.mend}")
