"""Records of pages opened in a browser: the signed record, its file, checks, keeping."""
