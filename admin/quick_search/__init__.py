"""One box for cases, sites, owners, pages and commands."""
