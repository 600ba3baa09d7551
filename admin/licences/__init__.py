"""Blueprint of licences."""
