from flows.strata.test_entries import *
