"""The doctor's check of the encoder: names it, and tries it on a sentence, its translation and another sentence."""

import ipaddress
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from matcher.meaning.encoders.encoder import EncoderUnavailable, Vectors, label_of
from zhiwen.config.parsers import BUILT_IN_ENCODER, NO_ENCODER
from zhiwen.diagnostics.doctor import Finding, fail, ok, warn
from zhiwen.encoders.choice import ready_encoder

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings

NAME: Final = "encoder"
SENTENCES: Final = (
    "昨夜江水上涨两米，沿岸三个村庄的居民连夜撤离。",
    "The river rose by two metres last night, and the people of three villages on its banks left their homes.",
    "这家餐馆本周换了菜单，增加了几道素菜。",
)
CPU_INFO: Final = Path("/proc/cpuinfo")
NEEDED_FLAGS: Final = frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})
AVX2_KERNELS: Final = frozenset({"Haswell", "Zen"})
MEND: Final = "Correct ZHIWEN_ENCODER (docs/settings.md), or set it to off."


def examine_encoder(settings: "Settings") -> Finding:
    if settings.encoder == NO_ENCODER:
        return ok(NAME, "Off: texts in other words and translations are not found.")
    began = time.perf_counter()
    try:
        encoder = ready_encoder(settings, patient=False)
        vectors = encoder.encode(SENTENCES)
        label = label_of(encoder)
    except EncoderUnavailable as error:
        if settings.encoder == BUILT_IN_ENCODER:
            return ok(NAME, f"None: texts in other words and translations are not found. {error}")
        return fail(NAME, str(error), MEND)
    took_ms = (time.perf_counter() - began) * 1000
    says = f"{label}, {encoder.size} numbers a vector, answered in {took_ms:.0f} ms."
    if not _finds_translations(vectors):
        return warn(NAME, f"{says} It does not know a translation by its meaning.", "Choose a multilingual model.")
    if sends_openly(settings):
        return warn(NAME, f"{says} Key and texts are sent unencrypted.", "Set ZHIWEN_ENCODER to an https address.")
    return ok(NAME, says if settings.encoder != BUILT_IN_ENCODER else f"{says}{_faster()}")


def _finds_translations(vectors: Vectors) -> bool:
    similarity = vectors @ vectors[0]
    return bool(similarity[1] > similarity[2])


def sends_openly(settings: "Settings") -> bool:
    """Whether a key is sent as plain text to something else than a machine of this network."""
    parts = urlsplit(settings.encoder)
    if parts.scheme != "http" or settings.encoder_key is None:
        return False
    host = parts.hostname or ""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host  # a name without a dot is one of this network, such as a container's


def _faster() -> str:
    """Return advice where OpenBLAS does not know the processor: some releases take AVX2 for what has AVX-512."""
    try:
        from threadpoolctl import threadpool_info  # noqa: PLC0415  # comes with the extra

        flags = set(CPU_INFO.read_text("ascii", "replace").partition("flags")[2].partition("\n")[0].split())
    except (ImportError, OSError):
        return ""
    chosen = {library.get("architecture") for library in threadpool_info()}
    if flags >= NEEDED_FLAGS and chosen & AVX2_KERNELS:
        return " OPENBLAS_CORETYPE=SkylakeX in the environment makes encoding on this processor a third faster."
    return ""
