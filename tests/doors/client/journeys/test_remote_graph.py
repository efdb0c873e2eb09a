from flows.strata.test_graph import *
