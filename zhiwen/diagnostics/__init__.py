"""The doctor: checks of the installation and the database."""
