"""Blueprint of imports."""
