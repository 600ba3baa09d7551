"""Comments on cases, and the people whom they mention."""
