"""Evidence: server responses as files, their entries in a hash chain, signing keys, captures and verification."""
