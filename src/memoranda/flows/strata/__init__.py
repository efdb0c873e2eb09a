"""Verbs of the strata besides episodes and facts."""
