"""Kinds of articles and posts of threads; recognises pages that are no articles: list, paywall, soft 404."""
