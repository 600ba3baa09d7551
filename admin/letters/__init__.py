"""Letters that are sent: the act, the follow-up, and who writes them."""
