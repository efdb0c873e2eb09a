import pytest

from memoranda.core.beliefs.profile_keys import attribute_of, is_topic, keys, leaves, placed
from memoranda.core.language.attributes import is_single_valued


def test_leaves_are_found_with_their_keys():
    tree = {"Role": "clerk", "Projects": {"Atlas": [{"stack": "Rust"}, "old"]}, "empty": {}, "none": None}
    assert list(leaves(tree)) == [
        (("Role",), "clerk"), (("Projects", "Atlas", "stack"), "Rust"), (("Projects", "Atlas"), "old"),
        (("none",), None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("Role", "work.role"),
        ("jobTitle", "work.role"),
        ("work/role", "work.role"),
        ("work.role", "work.role"),
        ("Company", "work.employer"),
        ("Professional/Company/Name", "work.employer"),
        ("personal_info/City", "location.city"),
        ("User/Location", "location.city"),
        ("profile", "profile"),
        ("Projects/Atlas/Deadline", "project.atlas.deadline"),
        ("family/Wife", "family.wife.name"),
        ("family/mom/name", "family.mother.name"),
        ("people/manager", "people.manager.name"),
        ("goal/is", "goal"),
        ("is", "is"),
        ("Favourite Color", "favourite_color"),
        ("favorites/color", "favourite.colour"),
        ("businesses/kind", "business.type"),
        ("!?", ""),
        ("项目", "项目"),
    ],
)
def test_a_key_means_an_attribute(path: str, found: str):
    assert attribute_of(tuple(path.split("/"))) == found


def test_somebody_else_is_a_subject():
    assert placed(("people", "Greta Ek", "location", "city")) == ("greta ek", "location.city")
    assert placed(("people", "manager", "name")) == ("user", "people.manager.name")
    assert placed(("people", "greta")) == ("user", "people.greta")
    assert placed(("Company",)) == ("user", "work.employer")


def test_some_keys_hold_statements():
    assert is_topic(("facts",))
    assert is_topic(("User", "Preferences"))
    assert not is_topic(("preference", "tea"))
    assert not is_topic(("role",))


def test_the_table_is_whole():
    seen: list[str] = []
    for attribute, names in keys().paths.items():
        assert attribute_of((attribute,)) == attribute
        assert all(attribute_of((name,)) == attribute for name in names)
        seen += names
    assert len(seen) == len(set(seen))
    assert is_single_valued(attribute_of(("company",)))
