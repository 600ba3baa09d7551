"""Alembic environment and versions."""
