"""`fingerprint`: shows the fingerprint of a text."""

import sys
from typing import Any

import click

from fingerprint.dna import Normalisation
from fingerprint.errors import FingerprintError
from zhiwen.commands.articles.text_input import text_at
from zhiwen.output.control_characters import show
from zhiwen.output.terminal import ValueOf, json_option, print_json

DECIMAL_RADIX = 10


@click.command()
@click.argument("source", metavar="PATH|-")
@click.option("--n", type=int, default=50, help="Units in a slice.")
@click.option("--overlap", type=float, default=0.0, help="Share of a slice that the next one repeats.")
@click.option("--range", "radix", type=int, default=4, help="Levels of a digit: 2, 4, 8 or 10.")
@click.option(
    "--normalisation",
    type=ValueOf(Normalisation),
    default=Normalisation.ZSCORE.value,
    help="How letter counts become digits.",
)
@json_option
def fingerprint(
    source: str, *, n: int, overlap: float, radix: int, normalisation: Normalisation, as_json: bool
) -> None:
    """Show the fingerprint of a text: simhash, bands, DNA slices, seeds."""
    text = sys.stdin.read() if source == "-" else text_at(source)
    try:
        shape = fingerprint_shape(text, n=n, overlap=overlap, radix=radix, normalisation=normalisation)
    except FingerprintError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        print_json(shape)
        return
    for name, value in shape.items():
        shown = f"{len(value)}: {', '.join(map(str, value[:6]))}…" if isinstance(value, list) else value
        show(f"{name.replace('_', ' ')}: {shown}")


def fingerprint_shape(text: str, *, n: int, overlap: float, radix: int, normalisation: Normalisation) -> dict[str, Any]:
    """Simhash and seeds as they are stored, slices with the parameters given. Raises ParameterError.

    With ten levels a slice is a text of 20 digits: 10^20 does not fit into 64 bits.
    """
    from fingerprint.compute import analyse  # noqa: PLC0415  # loads the dictionaries
    from fingerprint.dna import SliceParameters, dna_text, slices_at_stride  # noqa: PLC0415

    parameters = SliceParameters.with_overlap(n=n, overlap=overlap, radix=radix, normalisation=normalisation)
    analysis = analyse(text)
    found = analysis.fingerprint
    if radix == DECIMAL_RADIX:
        at = parameters.stored_at(len(analysis.initials)).tolist()
        slices: list[Any] = [dna_text(analysis.initials, position, parameters) for position in at]
    else:
        slices = slices_at_stride(analysis.initials, parameters).dna.tolist()
    return {
        "algorithm_version": found.algorithm_version,
        "too_short": found.too_short,
        "chars": len(text),
        "units": found.unit_count,
        "features": found.feature_count,
        "simhash": None if found.simhash is None else f"{found.simhash:016x}",
        "bands": found.bands,
        "slices": slices,
        "seeds": list(found.seeds),
    }
