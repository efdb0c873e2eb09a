from flows.strata.test_procedures import *
