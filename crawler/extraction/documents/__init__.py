"""Articles that are PDF or Word files."""
