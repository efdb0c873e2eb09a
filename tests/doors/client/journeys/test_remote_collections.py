from flows.sharing.test_collections import *
