from flows.strata.test_goals import *
