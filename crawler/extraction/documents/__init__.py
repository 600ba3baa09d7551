"""Articles that are PDF or Word files: recognition, text within bounds, mending of lines and pages."""
