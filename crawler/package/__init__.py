"""Evidence packages (WACZ): the files in them, index for replay, manifest, signatures, and their offline check."""
