"""Postgres helpers: rows as records, COPY, prepared statements, retry, timeouts, planner hints."""
