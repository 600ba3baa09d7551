"""Login, passwords, two-factor login."""
