"""Recognises pages that are no articles: list, forum, paywall, soft 404."""
