"""Blueprint of sites, owners, rules and runs."""
