"""A data folder of `bench meaning`, made of the demo's articles and of texts written for the tests."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from zhiwen.demo.articles import articles

SOURCE = "balcony-garden"
SHORT = "陈尚斌昨天在阳台上种下了三十棵番茄，又给邻居家的孩子讲了半个小时怎样浇水，孩子听得很认真，还记了笔记。"
SHORT_REWRITTEN = (
    "就在昨日，陈尚斌于阳台栽种30株番茄，并花半小时教邻居的小孩如何浇水，那孩子听得仔细，边听边做笔记，很是用功。"
)


def write_data(folder: Path, **changed: Sequence[Mapping[str, str]]) -> Path:
    """Write all files of the folder; `changed`: other records of a file."""
    originals = articles("original")
    innocents = articles("innocent")
    source = originals[SOURCE].text
    english = "\n".join(part.strip() for part in TRANSLATED.replace(". ", ".\n").split("\n"))
    files: dict[str, Sequence[Mapping[str, str]]] = {
        "zh_articles": [
            {"url": f"https://{name}.example/", "title": item.title, "text": item.text}
            for name, item in {**originals, **innocents}.items()
        ],
        "en_articles": [{"url": "https://en.example/", "title": "", "text": "A short article about nothing. " * 20}],
        "en_zh_translations": [{"id": "t", "en": english, "zh": source}],
        "zh_second_translations": [
            {"id": "s", "zh_a": originals["old-teahouse"].text, "zh_b": originals["old-teahouse"].text[40:]}
        ],
        "zh_llm_rewrites": [{"id": "r", "rewritten": SHORT_REWRITTEN, "human": SHORT}],
        "zh_retold_sources": [{"id": "a", "title": "", "text": source}],
        "zh_retold": [
            {"id": "a/retold", "source": "a", "kind": "retold", "title": "", "text": RETOLD},
            {"id": "a/translated", "source": "a", "kind": "translated", "title": "", "text": TRANSLATED},
        ],
        "zh_hard_negative_pairs": [
            {"id": "n", "text_a": innocents[min(innocents)].text, "text_b": originals[max(originals)].text}
        ],
        **changed,
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in files.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return folder
