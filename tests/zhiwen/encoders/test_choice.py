"""The encoder of the settings, who may get which text, and what the doctor says of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from matcher.meaning.encoders.encoder import EncoderUnavailable, label_of
from matcher.meaning.encoders.kept_vectors import KeptVectors
from tests.support.meaning.embeddings_endpoint import KEY, SIZE, served
from zhiwen.config.loading import load_settings
from zhiwen.config.settings import Settings, SettingsError
from zhiwen.diagnostics.doctor import State
from zhiwen.diagnostics.encoder_check import examine_encoder, sends_openly
from zhiwen.encoders.choice import encoder_for_drafts, encoder_for_texts, ready_encoder
from zhiwen.logs import secrets_of


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


def _settings(encoder: str, **more: str) -> Settings:
    endpoint = {"ZHIWEN_ENCODER_MODEL": "labse", "ZHIWEN_ENCODER_SIZE": str(SIZE)} if "://" in encoder else {}
    return load_settings({"ZHIWEN_HOME": "/nonexistent", "ZHIWEN_ENCODER": encoder, **endpoint, **more})


def test_the_built_in_encoder_is_the_default_and_is_there_once() -> None:
    encoder = ready_encoder(load_settings({"ZHIWEN_HOME": "/nonexistent"}))
    assert label_of(encoder).startswith("use-multilingual-3 ")
    assert ready_encoder(_settings("built-in"), patient=False) is encoder


def test_no_encoder_is_an_answer_with_a_way_out() -> None:
    with pytest.raises(EncoderUnavailable, match="ZHIWEN_ENCODER is off"):
        ready_encoder(_settings("off"))


def test_an_endpoint_is_named_by_its_model_and_its_place(address: str) -> None:
    encoder = ready_encoder(_settings(f"{address}/good"))
    assert label_of(encoder) == f"labse@{address.removeprefix('http://')} {SIZE}"
    assert encoder.encode(["江水"]).shape == (1, SIZE)


@pytest.mark.parametrize(
    ("encoder", "more", "may"),
    [
        ("built-in", {}, True),
        ("http://127.0.0.1:9/v1/embeddings", {}, False),
        ("http://127.0.0.1:9/v1/embeddings", {"ZHIWEN_ENCODER_SENDS_UNPUBLISHED": "on"}, True),
    ],
)
def test_a_text_that_is_not_public_is_sent_only_if_the_user_says_so(
    encoder: str, more: dict[str, str], may: bool
) -> None:
    settings = _settings(encoder, **more)
    chosen = encoder_for_texts(settings)
    assert chosen.reads_unpublished is may
    if not may:
        with pytest.raises(EncoderUnavailable, match="ZHIWEN_ENCODER_SENDS_UNPUBLISHED=on"):
            encoder_for_drafts(settings)
    else:
        assert label_of(encoder_for_drafts(settings)) == label_of(chosen)


def test_what_compares_shares_the_vectors_that_were_made_last() -> None:
    settings = _settings("built-in")
    assert isinstance(encoder_for_texts(settings), KeptVectors)
    assert encoder_for_drafts(settings) is encoder_for_texts(settings)


def test_an_endpoint_whose_model_may_be_replaced_is_asked_each_time() -> None:
    with served() as address:
        settings = _settings(f"{address}/good", ZHIWEN_ENCODER_SENDS_UNPUBLISHED="on")
        encoder = encoder_for_drafts(settings)
        assert encoder.encode(["江水"]).shape == (1, SIZE)
    with pytest.raises(EncoderUnavailable):
        encoder.encode(["江水"])


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ("labse", "the path of a folder like /srv/models/labse"),
        ("ftp://models.example.org/", "it must be"),
        ("http://", "like https://"),
        ("https://[::1/v1", "like https://"),
        ("http://models.example.org:99999/v1", "port must be a number"),
        ("http://models.example.org/v1#fragment", "without a fragment"),
        ("http://models.example.org/v1 x", "without a fragment or spaces"),
        ("/srv/mod\0els", "without control characters"),
    ],
)
def test_a_choice_that_is_none_names_the_ways_out(text: str, way_out: str) -> None:
    with pytest.raises(SettingsError) as caught:
        _settings(text)
    assert str(caught.value).startswith("ZHIWEN_ENCODER is ")
    assert way_out in str(caught.value)


def test_a_password_in_the_address_is_refused_and_not_shown() -> None:
    with pytest.raises(SettingsError) as caught:
        _settings("https://me:hunter2@models.example.org/v1/embeddings")
    assert "ZHIWEN_ENCODER is (not shown): " in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("missing", ["ZHIWEN_ENCODER_MODEL", "ZHIWEN_ENCODER_SIZE"])
def test_an_endpoint_needs_a_model_and_a_size(missing: str) -> None:
    with pytest.raises(SettingsError, match=missing):
        _settings("https://models.example.org/v1/embeddings", **{missing: ""})


@pytest.mark.parametrize("size", ["0", "7", "100", "8200", "-8", "1e3", "８"])
def test_a_size_that_no_vector_has_is_refused(size: str) -> None:
    with pytest.raises(SettingsError, match=r"^ZHIWEN_ENCODER_SIZE is .*multiple of 8"):
        _settings("https://models.example.org/v1/embeddings", ZHIWEN_ENCODER_SIZE=size)


def test_the_key_is_a_secret() -> None:
    settings = _settings("https://models.example.org/v1/embeddings", ZHIWEN_ENCODER_KEY=KEY)
    assert KEY not in repr(settings)
    assert secrets_of(settings) == {KEY}
    with pytest.raises(SettingsError) as caught:
        _settings("built-in", ZHIWEN_ENCODER_KEY=f"{KEY} x")
    assert KEY not in str(caught.value)


def test_the_doctor_names_the_encoder_and_tries_it(address: str) -> None:
    built_in = examine_encoder(_settings("built-in"))
    assert built_in.state is State.OK
    assert "use-multilingual-3" in built_in.says
    assert "512 numbers" in built_in.says
    off = examine_encoder(_settings("off"))
    assert (off.state, off.says[:3]) == (State.OK, "Off")


def test_the_doctor_says_what_is_wrong_with_an_encoder(address: str, tmp_path: Path) -> None:
    # The vectors of this endpoint are hashes, which know no meaning.
    assert examine_encoder(_settings(f"{address}/good")).state is not State.FAIL
    for encoder, words in (
        (f"{address}/html", "something else than JSON"),
        ("http://127.0.0.1:9/v1", "cannot be reached"),
        (str(tmp_path), "holds no model of sentence-transformers"),
        (str(tmp_path / "missing"), "holds no model of sentence-transformers"),
    ):
        found = examine_encoder(_settings(encoder))
        assert (found.state, words in found.says, bool(found.mend)) == (State.FAIL, True, True)
    locked = examine_encoder(_settings(f"{address}/locked", ZHIWEN_ENCODER_KEY="sk-falsch-12345678"))
    assert "Correct ZHIWEN_ENCODER_KEY" in locked.says
    assert "falsch" not in locked.says


@pytest.mark.parametrize(
    ("address", "openly"),
    [
        ("http://models.example.org/v1/embeddings", True),
        ("http://8.8.8.8:8080/v1/embeddings", True),
        ("https://models.example.org/v1/embeddings", False),
        ("http://10.0.0.5:8080/v1/embeddings", False),
        ("http://[::1]:8080/v1/embeddings", False),
        ("http://embeddings:8080/v1/embeddings", False),
    ],
)
def test_a_key_that_crosses_the_internet_unencrypted_is_noticed(address: str, openly: bool) -> None:
    assert sends_openly(_settings(address, ZHIWEN_ENCODER_KEY=KEY)) is openly
    assert not sends_openly(_settings(address))
