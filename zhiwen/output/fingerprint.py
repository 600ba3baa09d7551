"""A fingerprint as the command line shows it. Pure."""

from typing import Any

from fingerprint.compute import analyse
from fingerprint.dna import Normalisation, SliceParameters, dna_text, slices_at_stride

DECIMAL_RADIX = 10


def fingerprint_shape(text: str, *, n: int, overlap: float, radix: int, normalisation: Normalisation) -> dict[str, Any]:
    """Simhash and seeds as they are stored, slices with the parameters given. Raises ParameterError.

    With ten levels a slice is a text of 20 digits: 10^20 does not fit into 64 bits.
    """
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
