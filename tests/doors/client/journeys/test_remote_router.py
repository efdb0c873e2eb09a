from flows.context.test_router import *
