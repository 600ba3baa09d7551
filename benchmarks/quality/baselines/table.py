"""All baselines, in the order in which they are shown."""

from typing import Final

from benchmarks.quality.baselines.keys import datagrand, winnowing
from benchmarks.quality.baselines.method import Method
from benchmarks.quality.baselines.minhash import minhash
from benchmarks.quality.baselines.simhashes import simhashes
from benchmarks.quality.baselines.tfidf import tfidf

METHODS: Final[tuple[tuple[str, Method], ...]] = (
    ("simhash", simhashes),
    ("MinHash", minhash),
    ("TF-IDF", tfidf),
    ("DNA", datagrand),
    ("winnowing", winnowing),
)
