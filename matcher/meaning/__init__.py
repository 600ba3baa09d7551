"""Texts that say the same in other words or in another language: what an encoder proposes, and what proves it."""
