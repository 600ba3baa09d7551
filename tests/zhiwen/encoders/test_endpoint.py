"""An embeddings endpoint: a real HTTP server that answers rightly, wrongly, late or never."""

from collections.abc import Iterator

import numpy as np
import pytest

from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.meaning.encoders.endpoint_encoder import TEXTS_A_REQUEST, EndpointEncoder
from tests.support.meaning.embeddings_endpoint import BAD_ANSWERS, KEY, SIZE, seen, served, vector
from zhiwen.encoders.embeddings_client import EmbeddingsClient

MOST_BYTES = 1_000_000
TEXT = "江水上涨两米。"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


def _encoder(
    address: str, path: str, key: str | None = None, *, size: int = SIZE, answer_s: float = 20.0, tries: int = 5
) -> EndpointEncoder:
    client = EmbeddingsClient(
        f"{address}/{path}", key, answer_s=answer_s, answer_bytes=MOST_BYTES, tries=tries, first_pause_s=0.01
    )
    return EndpointEncoder(client.post, host=client.host, model="labse", size=size)


def _problem(address: str, path: str, key: str | None = None, *, answer_s: float = 20.0, tries: int = 5) -> str:
    with pytest.raises(EncoderUnavailable) as caught:
        _encoder(address, path, key, answer_s=answer_s, tries=tries).encode([TEXT])
    return str(caught.value)


def _of_length_one(texts: list[str], size: int = SIZE) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = np.array([vector(text, size) for text in texts])
    found: np.ndarray[tuple[int, int], np.dtype[np.float64]] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def test_texts_come_back_as_vectors_of_length_one_in_their_order(address: str) -> None:
    texts = [f"第{number}句话。" for number in range(2 * TEXTS_A_REQUEST + 3)]

    vectors = _encoder(address, "good").encode(texts)

    assert vectors.dtype == np.float32
    assert np.allclose(vectors, _of_length_one(texts), atol=1e-6)
    assert _encoder(address, "good").encode([]).shape == (0, SIZE)


def test_a_request_holds_the_model_and_a_batch_of_texts_and_nothing_else(address: str) -> None:
    _encoder(address, "good/v1/embeddings?version=2").encode([TEXT] * (TEXTS_A_REQUEST + 1))

    first, last = seen(address)[-2:]
    assert first["path"] == "/good/v1/embeddings?version=2"
    assert first["json"] == {"model": "labse", "input": [TEXT] * TEXTS_A_REQUEST, "encoding_format": "float"}
    assert last["json"]["input"] == [TEXT]
    assert "Authorization" not in first["headers"]


def test_hostile_texts_are_made_readable_before_they_are_sent(address: str) -> None:
    texts = ["", "\0", "\ud800好", "x" * 10**6, "\u202eשלום", "😀" * 5_000]

    vectors = _encoder(address, "good").encode(texts)

    assert np.isfinite(vectors).all()
    sent = seen(address)[-1]["json"]["input"]
    assert sent[:3] == ["。", "。", "?好"]
    assert all(0 < len(text) <= 2_000 for text in sent)


def test_a_key_is_sent_to_the_endpoint_and_told_to_nobody(address: str) -> None:
    assert _encoder(address, "locked", KEY).encode([TEXT]).shape == (1, SIZE)
    refused = _problem(address, "locked", "sk-falsch-12345678")
    assert "refuses the key (status 401). Correct ZHIWEN_ENCODER_KEY" in refused
    assert "sk-falsch" not in refused
    repeated = _problem(address, "repeats-the-key", KEY)
    assert "refuses the request (status 404: no such model" in repeated
    assert KEY not in repeated
    assert "\x1b" not in repeated


def test_a_busy_endpoint_is_asked_again_after_a_pause(address: str) -> None:
    assert _encoder(address, "busy").encode([TEXT]).shape == (1, SIZE)


def test_a_model_that_shortens_its_vectors_is_asked_for_the_size(address: str) -> None:
    encoder = _encoder(address, "shortens", size=8)
    assert np.allclose(encoder.encode([TEXT]), _of_length_one([TEXT], 8), atol=1e-6)
    encoder.encode([TEXT])
    assert [one["json"].get("dimensions") for one in seen(address)[-3:]] == [None, 8, 8]


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_an_answer_that_is_not_one_vector_for_each_text_is_an_error(name: str, address: str) -> None:
    problem = _problem(address, name)
    assert problem.startswith(f"The embeddings endpoint {address.removeprefix('http://')} answers with")
    assert "ZHIWEN_ENCODER" in problem


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("elsewhere", "sends elsewhere (status 307), which is not followed. Set ZHIWEN_ENCODER to the final address."),
        ("failing", "is busy or failing (status 503). Try again later"),
        ("not-today", "is busy or failing (status 429). Try again later"),
        ("drops", "cannot be reached ("),
    ],
)
def test_an_endpoint_that_does_not_answer_is_an_error_with_a_remedy(path: str, words: str, address: str) -> None:
    assert words in _problem(address, path)


def test_a_redirect_is_not_followed(address: str) -> None:
    before = len(seen(address))
    _problem(address, "elsewhere")
    assert [one["path"] for one in seen(address)[before:]] == ["/elsewhere"]


def test_an_answer_is_bounded_in_size_and_time(address: str) -> None:
    assert "more than 1,000,000 bytes" in _problem(address, "endless")
    assert "no whole answer within 0.3 s" in _problem(address, "drips", answer_s=0.3, tries=1)


@pytest.mark.parametrize("host", ["127.0.0.1:9", "[::1]:9", "a..b:80", f"{'x' * 70}.example:80"])
def test_nobody_at_the_address_is_an_error_that_names_it(host: str) -> None:
    assert f"{host} cannot be reached" in _problem(f"http://{host}", "good", tries=2)


@pytest.mark.parametrize("name", ["headers", "chunks", "no-http"])
def test_a_broken_answer_of_the_protocol_is_an_error(name: str, address: str) -> None:
    assert "cannot be reached (" in _problem(address, name, tries=1)


def test_proxies_of_the_environment_are_not_used(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert _encoder(address, "good").encode([TEXT]).shape == (1, SIZE)


def test_an_endpoint_with_a_certificate_of_nobody_is_not_asked(address: str) -> None:
    secure = address.replace("http://", "https://")
    assert "cannot be reached (" in _problem(secure, "good", tries=1)
