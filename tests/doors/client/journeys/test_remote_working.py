from flows.strata.test_working import *
