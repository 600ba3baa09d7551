"""Encoders: the protocol, the built-in one, a model in a folder, an embeddings endpoint."""
