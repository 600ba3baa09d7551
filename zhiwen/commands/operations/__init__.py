"""Commands: serve, up, worker, status, doctor, backup, database, alert, token, demo."""
