"""The only place with SQL: models, queries that return records, engine, the embedded server."""
