from flows.governance.test_forget import *
