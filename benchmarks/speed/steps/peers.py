"""Other libraries on the same texts, each used as its documentation shows."""

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from itertools import chain
from typing import Final

from benchmarks.speed.steps.pipeline_stages import over
from benchmarks.speed.steps.timing import Task

NAIVE: Final = "jieba + Simhash + lazy_pinyin"
MINHASH: Final = "MinHash 128 (datasketch)"
PERMUTATIONS: Final = 128
SHINGLE: Final = 4
_SLOW: Final = 5
"""A slow peer gets so much fewer texts a round."""


def peers(texts: Sequence[str], *, share: int) -> tuple[list[Task], list[str]]:
    """The peers that are installed, and the names of packages that are not."""
    tasks: list[Task] = []
    missing: list[str] = []
    for needed, make in _PEERS:
        absent = [name for name in needed if find_spec(name) is None]
        missing += absent
        if not absent:
            name, work, is_slow = make()
            tasks.append(Task(name, over(work, texts, share=max(1, share // _SLOW) if is_slow else share)))
    return tasks, sorted(set(missing))


def shingles(text: str) -> list[str]:
    return [text[start : start + SHINGLE] for start in range(len(text) - SHINGLE + 1)]


def _naive() -> tuple[str, Callable[[str], object], bool]:
    import jieba  # noqa: PLC0415
    from pypinyin import lazy_pinyin  # noqa: PLC0415
    from simhash import Simhash  # noqa: PLC0415

    jieba.setLogLevel("ERROR")
    jieba.initialize()

    def work(text: str) -> object:
        initials = "".join(spoken[0] for spoken in lazy_pinyin(text))
        return Simhash(jieba.lcut(text)).value, initials

    return NAIVE, work, True


def _jieba() -> tuple[str, Callable[[str], object], bool]:
    import jieba  # noqa: PLC0415

    return "jieba alone", jieba.lcut, True


def _rjieba() -> tuple[str, Callable[[str], object], bool]:
    import rjieba  # noqa: PLC0415

    segmenter = rjieba.Jieba()
    return "rjieba alone", lambda text: segmenter.cut(text, False), False


def _simhash() -> tuple[str, Callable[[str], object], bool]:
    from simhash import Simhash  # noqa: PLC0415

    return "Simhash of 4-grams", lambda text: Simhash(shingles(text)).value, True


def _datasketch() -> tuple[str, Callable[[str], object], bool]:
    from datasketch import MinHash  # noqa: PLC0415

    def work(text: str) -> object:
        found = MinHash(num_perm=PERMUTATIONS)
        found.update_batch([part.encode() for part in shingles(text)])
        return found.digest()

    return MINHASH, work, False


def _rensa() -> tuple[str, Callable[[str], object], bool]:
    from rensa import RMinHash  # noqa: PLC0415

    def work(text: str) -> object:
        found = RMinHash(num_perm=PERMUTATIONS, seed=1)
        found.update(shingles(text))
        return found.digest()

    return "MinHash 128 (rensa)", work, False


_PEERS: Final[tuple[tuple[tuple[str, ...], Callable[[], tuple[str, Callable[[str], object], bool]]], ...]] = (
    (("jieba", "simhash", "pypinyin"), _naive),
    (("jieba",), _jieba),
    (("rjieba",), _rjieba),
    (("simhash",), _simhash),
    (("datasketch",), _datasketch),
    (("rensa",), _rensa),
)


def packages() -> Iterable[str]:
    return sorted(set(chain.from_iterable(needed for needed, _ in _PEERS)))
