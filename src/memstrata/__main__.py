"""`python -m memstrata`: the command line, for when the script is not on the path."""

from memstrata.doors.cli import main

if __name__ == "__main__":
    main()
