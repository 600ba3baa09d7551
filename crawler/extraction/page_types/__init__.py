"""What a page is when it is no article: list, forum, paywall, soft 404."""
