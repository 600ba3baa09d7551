"""Which encoder the settings choose."""

from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from matcher.meaning.encoders.encoder import Encoder, EncoderUnavailable
from zhiwen.config.parsers import BUILT_IN_ENCODER, NO_ENCODER, is_web_address

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings


class CheckedEncoder(Encoder, Hashable, Protocol):
    def require(self) -> None:
        """Raises EncoderUnavailable if something is missing on this machine. Loads nothing."""


def encoder_for_texts(settings: "Settings") -> Encoder:
    """Return the encoder for stored texts and finds. Raises EncoderUnavailable as `ready_encoder` does."""
    return _keeping(settings, patient=True)


def ready_encoder(settings: "Settings", *, patient: bool = True) -> CheckedEncoder:
    """Return the encoder of the settings; each process has one. It loads its model when it is first used, and keeps no
    vectors: what it answers, it has computed now.

    `patient`: tries again where an endpoint does not answer at once; not where a person waits.
    Raises EncoderUnavailable, with the remedy, if a package or a model is missing or ZHIWEN_ENCODER is off.
    """
    if settings.encoder == NO_ENCODER:
        raise EncoderUnavailable("ZHIWEN_ENCODER is off: nothing is compared by meaning. Unset it to compare.")
    encoder = _encoder(
        settings.encoder,
        settings.encoder_model or "",
        settings.encoder_size or 0,
        settings.encoder_key,
        settings.encoder_sends_unpublished,
        # Only an endpoint makes a difference: of the others, there is one in memory.
        patient or not is_web_address(settings.encoder),
    )
    encoder.require()
    return encoder


def encoder_for_drafts(settings: "Settings") -> Encoder:
    """Return the encoder for texts that are not public, where a person waits.

    Raises EncoderUnavailable as `ready_encoder` does, and if it would send them away without the user's consent.
    """
    encoder = _keeping(settings, patient=False)
    if not encoder.reads_unpublished:
        raise EncoderUnavailable(
            f"Comparing by meaning would send the text to {encoder.name}. "
            "Set ZHIWEN_ENCODER_SENDS_UNPUBLISHED=on to allow it."
        )
    return encoder


def _keeping(settings: "Settings", *, patient: bool) -> Encoder:
    """Return the encoder of the settings with the vectors that it made last, if it makes the same as long as this
    process runs. The model behind an endpoint may be replaced, and old vectors are not compared with new ones.
    """
    encoder = ready_encoder(settings, patient=patient)
    return encoder if is_web_address(settings.encoder) else _kept(encoder)


@cache
def _kept(encoder: CheckedEncoder) -> Encoder:
    from matcher.meaning.encoders.kept_vectors import KeptVectors  # noqa: PLC0415  # loads numpy

    return KeptVectors(encoder)


@cache
def _encoder(
    chosen: str, model: str, size: int, key: str | None, sends_unpublished: bool, patient: bool
) -> CheckedEncoder:
    if chosen == BUILT_IN_ENCODER:
        from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder  # noqa: PLC0415  # one is loaded, not all

        return UniversalSentenceEncoder()
    if is_web_address(chosen):
        from matcher.meaning.encoders.endpoint_encoder import EndpointEncoder  # noqa: PLC0415
        from zhiwen.encoders.embeddings_client import EmbeddingsClient  # noqa: PLC0415

        client = EmbeddingsClient(chosen, key) if patient else EmbeddingsClient(chosen, key, answer_s=20, tries=1)
        return EndpointEncoder(
            client.post, host=client.host, model=model, size=size, sends_unpublished=sends_unpublished
        )
    from matcher.meaning.encoders.folder_encoder import FolderEncoder  # noqa: PLC0415

    return FolderEncoder(Path(chosen))
