import pytest

pytest.register_assert_rewrite(
    "memstrata.testing._writes", "memstrata.testing._reads", "memstrata.testing._probes", "memstrata.testing.machine"
)
