"""The made-up store of the speed benchmark."""
