"""Postgres helpers: COPY, prepared statements, retry, timeouts, planner hints."""
