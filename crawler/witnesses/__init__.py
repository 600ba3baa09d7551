"""Witnesses of the evidence: lists of files, OpenTimestamps, countersignatures, and their verification."""
