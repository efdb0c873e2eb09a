"""How fast memstrata is, in ratios against the least that could work and against its peers, all in one run."""
