"""Which page is the source: direction, credit, copy damage, leftover phrases."""
