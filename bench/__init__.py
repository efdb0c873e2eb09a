"""Benchmarks: memoranda's speed relative to a minimal baseline and to its peers, all measured in one run."""
