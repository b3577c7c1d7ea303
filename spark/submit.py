"""The entry point for spark-submit: see README.md beside it."""

import sys

from tabard_spark.job import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
