"""A model of sentence-transformers in a folder. The library is no dependency: with a model it is tested where it is."""

from pathlib import Path

import numpy as np
import pytest

from matcher.meaning.encoders.encoder import EncoderUnavailable, label_of
from matcher.meaning.encoders.folder_encoder import FolderEncoder


def _folder(path: Path, weights: bytes = b"w" * 5_000_000) -> Path:
    path.mkdir()
    (path / "modules.json").write_text("[]")
    (path / "config.json").write_text('{"hidden_size": 8}')
    (path / "1_Pooling").mkdir()
    (path / "1_Pooling" / "config.json").write_text("{}")
    (path / "model.safetensors").write_bytes(weights)
    return path


@pytest.mark.parametrize("name", ["missing", "empty", "file"])
def test_a_folder_without_a_model_is_an_error_that_names_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(EncoderUnavailable, match=rf"{name} holds no model .* correct ZHIWEN_ENCODER"):
        FolderEncoder(tmp_path / name).encode(["江水"])


def test_the_library_is_asked_for_only_where_it_is_needed(tmp_path: Path) -> None:
    try:
        import sentence_transformers  # noqa: F401, PLC0415
    except ImportError:
        with pytest.raises(EncoderUnavailable, match="pip install sentence-transformers"):
            FolderEncoder(_folder(tmp_path / "model")).encode(["江水"])
    else:
        with pytest.raises(EncoderUnavailable, match="cannot be read"):
            FolderEncoder(_folder(tmp_path / "model")).encode(["江水"])


def test_a_model_is_named_by_its_folder_and_what_is_in_it(tmp_path: Path) -> None:
    one, same, other, shorter = (
        FolderEncoder(_folder(tmp_path / name, weights))
        for name, weights in (
            ("one", b"w" * 5_000_000),
            ("same", b"w" * 5_000_000),
            ("other", b"v" * 5_000_000),
            ("shorter", b"w" * 4_999_999),
        )
    )
    assert (one.name, len(one.contents)) == ("one", 12)
    assert one.contents == same.contents
    assert len({one.contents, other.contents, shorter.contents}) == 3
    (tmp_path / "same" / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert FolderEncoder(tmp_path / "same").contents != one.contents


def test_a_real_model_in_a_folder_encodes_any_text(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="no dependency; install it to test with a model")
    folder = _tiny_model(tmp_path / "tiny")
    encoder = FolderEncoder(folder)
    texts = ["江水上涨两米。", "", "\ud800\0", "x" * 100_000, "\u202eשלום", "The river rose."]

    vectors = encoder.encode(texts)

    assert vectors.shape == (len(texts), encoder.size)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(encoder.encode(texts[::-1])[::-1], vectors, atol=1e-6)
    assert label_of(encoder).startswith("tiny ")
    assert encoder.encode([]).shape == (0, encoder.size)


def _tiny_model(folder: Path) -> Path:
    """A transformer of random weights, saved as the library saves its models. Nothing is fetched."""
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from sentence_transformers.sentence_transformer import modules  # noqa: PLC0415
    from transformers import BertConfig, BertModel, BertTokenizer  # noqa: PLC0415

    base = folder.with_name("base")
    base.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"江水上涨两米。", "the", "river", "rose", "."]
    (base / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    BertTokenizer(str(base / "vocab.txt")).save_pretrained(str(base))
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=len(words), **shape)).save_pretrained(str(base))
    transformer = modules.Transformer(str(base))
    model = SentenceTransformer(modules=[transformer, modules.Pooling(32)], device="cpu")
    model.save(str(folder))
    return folder
