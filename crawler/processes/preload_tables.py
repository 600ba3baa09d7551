"""Loads the tables that fingerprints need, as it is imported: for processes that others are forked from."""

from fingerprint.compute import fingerprint_text

fingerprint_text("")
