"""The classic ways to compare two texts, one small file each; none of them decides."""
