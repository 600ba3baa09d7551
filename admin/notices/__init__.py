"""Notices by addressee: facts, required elements, wording, packets, consent, and their pages."""
