"""An encoder that remembers: every sentence is encoded once, in whatever process, also over several runs."""

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from matcher.meaning.encoders.encoder import Encoder, EncoderAround, Vectors

AT_ONCE: Final = 500
"""Keys of one query: SQLite takes at most 999 parameters in old versions."""
WAIT_S: Final = 60.0
"""Time that a process waits for another one's write."""


class CachedEncoder(EncoderAround):
    """Vectors are kept with half precision, and rounded to it also when they are new, so that results never depend on
    what was kept.
    """

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        super().__init__(encoder)
        folder.mkdir(parents=True, exist_ok=True)
        label = f"{encoder.name} {encoder.version}"
        file = folder / f"vectors-{blake2b(label.encode(), digest_size=6).hexdigest()}.sqlite"
        self._kept = sqlite3.connect(file, timeout=WAIT_S, isolation_level=None)
        self._kept.execute("PRAGMA journal_mode = WAL")
        self._kept.execute("PRAGMA synchronous = OFF")
        self._kept.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB)")

    def encode(self, texts: Sequence[str]) -> Vectors:
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = self._encoder.encode(list(missing.values())).astype(np.float16)
            new = {key: row.tobytes() for key, row in zip(missing, made, strict=True)}
            self._keep(new)
            known |= new
        rows = np.frombuffer(b"".join(known[key] for key in keys), dtype=np.float16)
        return rows.reshape(len(keys), self.size).astype(np.float32)

    def _known(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        wanted = list(dict.fromkeys(keys))
        known: dict[bytes, bytes] = {}
        for start in range(0, len(wanted), AT_ONCE):
            some = wanted[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            known.update(self._kept.execute(f"SELECT key, value FROM vector WHERE key IN ({marks})", some))  # noqa: S608
        return known

    def _keep(self, new: dict[bytes, bytes]) -> None:
        self._kept.execute("BEGIN IMMEDIATE")
        self._kept.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", new.items())
        self._kept.execute("COMMIT")
