"""`python -m memoranda`: the command line, for when the script is not on the path."""

from memoranda.doors.cli import main

if __name__ == "__main__":
    main()
