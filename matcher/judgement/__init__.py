"""From aligned passages to one judgement per pair: weighting, score, reordering, mosaic."""
