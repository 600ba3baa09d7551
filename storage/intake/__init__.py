"""Articles and texts that are handed over: originals by push, submissions, uploads, import progress, checked texts."""
