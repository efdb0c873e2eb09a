from flows.context.test_context import *
