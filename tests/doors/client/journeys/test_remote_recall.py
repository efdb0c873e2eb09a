from flows.recall.test_recall import *
