"""Witnesses of the evidence."""
