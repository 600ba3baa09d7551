"""The API: the nouns of the desk for programs, asked with a token."""
