"""`python -m zhiwen` is `zhiwen`."""

from zhiwen.cli import main

main()
