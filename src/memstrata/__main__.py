"""`python -m memstrata`: the command line, for where the interpreter is known and the script is not on the path."""

from memstrata.doors.cli import main

if __name__ == "__main__":
    main()
