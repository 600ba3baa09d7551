"""Loads tables and code of fingerprints, as it is imported: for processes that others are forked from."""

from fingerprint.compiling import load_compiled
from fingerprint.compute import fingerprint_text

load_compiled()
fingerprint_text("")
