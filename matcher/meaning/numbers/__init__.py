"""Figures and dates in a text by their values, in Chinese and English."""
