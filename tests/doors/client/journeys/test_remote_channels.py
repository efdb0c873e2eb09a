from flows.strata.test_channels import *
