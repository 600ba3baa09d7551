"""All baselines, in the order in which they are shown."""

from typing import Final

from benchmarks.quality.baselines.datagrand import datagrand
from benchmarks.quality.baselines.method import Method
from benchmarks.quality.baselines.minhash import minhash
from benchmarks.quality.baselines.simhashes import simhashes
from benchmarks.quality.baselines.tfidf import tfidf
from benchmarks.quality.baselines.winnowing import winnowing

METHODS: Final[tuple[tuple[str, Method], ...]] = (
    ("simhash", simhashes),
    ("MinHash", minhash),
    ("TF-IDF", tfidf),
    ("DNA", datagrand),
    ("winnowing", winnowing),
)
