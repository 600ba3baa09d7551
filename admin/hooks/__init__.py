"""Before and after each request: headers, log, upload limits, compression, asset names, template filters."""
