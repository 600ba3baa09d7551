"""The desk where people review what was found."""
