"""`python -m zhiwen` is `zhiwen`."""

from zhiwen import working_folder

working_folder.leave_out()

from zhiwen.cli import main  # noqa: E402  # its imports must not come from the working folder

main()
