"""The generated store of the speed benchmark."""
