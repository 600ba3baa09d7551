"""Evidence: server responses as files, their entries in a hash chain, captures and verification."""
