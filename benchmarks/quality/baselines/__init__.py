"""Known methods on the same texts, set up as their users would. One file each, one signature."""
