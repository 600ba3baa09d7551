"""Running imports: batches, uploads, suspects."""
