from flows.sharing.test_pools import *
