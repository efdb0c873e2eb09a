"""The verbs of keys."""

from memoranda.verbs import loaded
from memoranda.verbs.registry import C, Face, TenantVerb


class Keys(Face[C]):
    """Keys to a tenant's memory over a door, such as HTTP: make them, list them, replace them, revoke them."""

    create = TenantVerb(
        lambda: loaded.access_keys.create, "writes", "--rights read --name inbox",
        creates=True, repeats=True, secret=True,
    )  # fmt: skip
    check = TenantVerb(lambda: loaded.access_keys.check, "reads", "SECRET", local="*")
    list = TenantVerb(lambda: loaded.access_keys.find, "reads")
    rotate = TenantVerb(
        lambda: loaded.access_keys.rotate, "writes", "KEY", repeats=True, route="POST {key}/rotate", secret=True
    )
    revoke = TenantVerb(lambda: loaded.access_keys.revoke, "writes", "KEY", route="DELETE {key}")
