"""The encoder of the settings, and the client of an embeddings endpoint."""
