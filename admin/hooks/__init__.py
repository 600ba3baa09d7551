"""Before and after each request: headers, log, upload limits, template filters."""
