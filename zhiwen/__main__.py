"""`python -m zhiwen` is `zhiwen`."""

from zhiwen import working_folder

working_folder.leave_out()

from zhiwen.cli import main  # noqa: E402  # what it imports is not to come from the working folder

main()
