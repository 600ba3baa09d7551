from pathlib import Path

import pytest

from benchmarks.meaning.material import FILES, DataMissing, Sizes, make_material, read_records
from benchmarks.meaning.probes import FITTED_ON, Kind, Material
from tests.support.benchmarks.meaning import SOURCE, write_data


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("data"))


def _made(folder: Path, sizes: Sizes | None = None, seed: int = 1) -> Material:
    return make_material(read_records(folder), sizes or Sizes(ordinary=5), seed)


def test_every_copy_is_asked_and_its_source_is_stored(folder: Path) -> None:
    material = _made(folder)
    stored = {item.id for item in material.stored}
    kinds = {probe.kind for probe in material.probes}

    assert {Kind.RETOLD, Kind.TRANSLATED_BY_MACHINE, Kind.SECOND, Kind.SHORT, Kind.HARD_NEGATIVE} <= kinds
    assert all(probe.source in stored for probe in material.probes if probe.kind is not Kind.ORDINARY)
    assert len(stored) == len(material.stored)


def test_an_article_that_shares_text_with_a_probe_is_no_background(folder: Path) -> None:
    material = _made(folder)

    assert material.left_out >= 2
    assert f"https://{SOURCE}.example/" not in {item.id for item in material.stored}


def test_ordinary_articles_are_asked_and_not_stored(folder: Path) -> None:
    material = _made(folder)
    asked = {probe.id for probe in material.probes if probe.kind is Kind.ORDINARY}

    assert len(asked) == 5
    assert not asked & {item.id for item in material.stored}


def test_an_article_whose_translation_is_stored_is_no_innocent(folder: Path) -> None:
    records = read_records(folder)
    pair, translated = records["zh_hard_negative_pairs"][0], records["en_zh_translations"][0]
    both = {**pair, "id": "both", "text_a": translated["zh"]}
    records["zh_hard_negative_pairs"] = [pair, both]
    asked = {probe.id for probe in make_material(records, Sizes(ordinary=5), 1).probes}

    assert f"negative/{pair['id']}" in asked
    assert "negative/both" not in asked


def test_paragraphs_are_in_a_foreign_article_of_the_same_language(folder: Path) -> None:
    kinds = (Kind.PARAGRAPHS_CHINESE, Kind.PARAGRAPHS_ENGLISH)
    found = [probe for probe in _made(folder, Sizes(ordinary=20)).probes if probe.kind in kinds]
    whole = [probe for probe in _made(folder).probes if probe.kind is Kind.TRANSLATED_TO_CHINESE]

    assert len(found) == 1
    inserted = [part for part in whole[0].text.split("\n") if part.strip() and part in found[0].text]
    assert len(inserted) >= 3
    assert len(found[0].text) > sum(map(len, inserted)) + 100


def test_parts_of_copies_in_other_articles_and_stored_articles_are_asked_for_a_fit(folder: Path) -> None:
    material = _made(folder, Sizes(ordinary=5, fitted_on=3))
    made = {kind: [probe for probe in material.probes if probe.kind is kind] for kind in FITTED_ON}
    (whole,) = [probe for probe in material.probes if probe.kind is Kind.RETOLD]

    assert all(made.values())
    assert {probe.source for probe in made[Kind.PART_OF_RETOLD]} == {whole.source}
    for probe in (*made[Kind.PART_OF_RETOLD], *made[Kind.SHORT_INSIDE], *made[Kind.PART_OF_SECOND]):
        (source,) = [
            one
            for one in material.probes
            if one.source == probe.source and one.kind in (Kind.SECOND, Kind.RETOLD, Kind.SHORT)
        ]
        part = max(probe.text.split("\n"), key=lambda line: line in source.text and len(line))
        assert part in source.text
        assert len(part) < len(probe.text)
    (dropped,) = made[Kind.DROPPED]
    assert len(dropped.text) < len(whole.text)
    assert all(probe.text in {item.text for item in material.stored} for probe in made[Kind.STORED])
    assert len({probe.id for probe in material.probes}) == len(material.probes)


def test_without_a_fit_no_such_text_is_asked_and_the_others_are_the_same(folder: Path) -> None:
    plain, more = _made(folder), _made(folder, Sizes(ordinary=5, fitted_on=3))

    assert more.stored == plain.stored
    assert tuple(probe for probe in more.probes if probe.kind not in FITTED_ON) == plain.probes


def test_the_same_seed_makes_the_same_and_sizes_are_kept(folder: Path) -> None:
    assert _made(folder) == _made(folder)
    assert [probe.id for probe in _made(folder).probes] != [probe.id for probe in _made(folder, seed=2).probes]
    assert len(_made(folder, Sizes(articles=20, ordinary=5)).stored) == 20
    assert not [probe for probe in _made(folder, Sizes(short=0)).probes if probe.kind is Kind.SHORT]


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    folder = write_data(tmp_path)
    (folder / f"{name}.jsonl.gz").unlink()

    with pytest.raises(DataMissing, match=name):
        read_records(folder)


@pytest.mark.parametrize("broken", [b"", b"no gzip", b"\x1f\x8b\x08"])
def test_a_broken_file_is_named(broken: bytes, tmp_path: Path) -> None:
    folder = write_data(tmp_path)
    (folder / "zh_retold.jsonl.gz").write_bytes(broken)

    if broken:
        with pytest.raises(DataMissing, match="zh_retold"):
            read_records(folder)
    else:
        assert read_records(folder)["zh_retold"] == []


def test_a_record_without_a_field_is_named_with_its_line(tmp_path: Path) -> None:
    folder = write_data(tmp_path, zh_retold=[{"id": "a", "source": "a", "kind": "retold", "text": "x"}, {"id": "b"}])

    with pytest.raises(DataMissing, match=r"line 2: no field source, kind, text"):
        read_records(folder)
