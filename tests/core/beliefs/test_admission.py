"""What becomes of a statement, given what is known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from core.admitting import OWNER, Kept, outcomes
from core.making import NOW, passage, record
from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.beliefs.promotion import promotion_id
from memoranda.core.rows import Record, Tombstone
from memoranda.core.rows.changes import Add

WORKFLOW = {"source": "workflow", "trust": 0.6}
AGENT = {"source": "agent", "trust": 0.7}


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def test_what_is_new_is_added() -> None:
    kept = Kept()
    [decision] = kept.says("I live in Oslo.")
    assert (decision.outcome, decision.other, decision.reason) == ("added", None, "")
    [new] = kept.rows.values()
    assert (new.id, new.version, new.status, new.valid_to) == (decision.record, 1, "candidate", None)


def test_statements_of_one_call_see_one_another() -> None:
    kept = Kept()
    decisions = kept.says("I live in Oslo.", "I live in Oslo.", "I moved to Bergen.")
    assert outcomes(decisions) == ["added", "reinforced", "superseded"]
    assert kept.held() == {"User moved to Bergen"}


def test_of_many_drafts_of_one_call_those_that_share_a_word_are_similar_the_latest_first() -> None:
    overlay = Kept().admission().overlay
    for number in range(70):
        overlay.insert(record(id=f"r{number}", text=f"Lamp {number} shines.", hash=f"h{number}"), None)
    overlay.insert(record(id="crab", text="The crab sleeps.", hash="crab"), None)
    assert [one.id for one in overlay.similar("fact", ["crab"])] == ["crab"]
    assert [one.id for one in overlay.similar("fact", ["lamp", "shine"])] == [f"r{n}" for n in range(69, 5, -1)]


# ------------------------------------------------------------------------------------- the same words


def test_the_same_words_reinforce() -> None:
    kept = Kept()
    [before] = kept.says("I live in Oslo.")
    importance = kept.current()["User lives in Oslo"].importance
    kept.pass_time(days=1)
    [after] = kept.says("i live in OSLO")
    assert (after.outcome, after.record, after.other) == ("reinforced", before.record, before.record)
    [known] = kept.rows.values()
    assert known.sources == ("e1", "e2")
    assert known.importance == pytest.approx(importance + 0.05)
    assert (known.version, known.valid_from) == (1, NOW)


def test_the_same_event_reinforces_nothing() -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    [known] = kept.rows.values()
    admission = kept.admission()
    decision = admission.admit(known)
    assert (decision.outcome, decision.reason) == ("reinforced", "said by the same events")
    assert admission.overlay.changes == []


def test_what_is_over_does_not_reinforce_what_was() -> None:
    kept = Kept()
    kept.says("I'm diabetic.")
    kept.pass_time(days=1)
    assert outcomes(kept.says("I'm not diabetic any more.")) == ["superseded"]
    assert kept.held() == {"User is not diabetic"}


def test_what_was_past_and_is_said_again_is_reinforced() -> None:
    kept = Kept()
    assert outcomes(kept.says("I used to live in Rome.")) == ["added"]
    kept.pass_time(days=1)
    assert outcomes(kept.says("I used to live in Rome.")) == ["reinforced"]


def test_what_was_said_before_it_was_known_holds_from_then() -> None:
    kept = Kept()
    early, middle, late = map(year, (2021, 2022, 2023))
    for at in (late, early, middle):
        kept.says("I like tea.", at=at)
    [known] = kept.current().values()
    assert (known.valid_from, known.valid_to, len(known.sources)) == (early, None, 3)
    for said, at in (("I live in Oslo.", late), ("I live in Rome.", middle), ("I live in Oslo.", early)):
        kept.says(said, at=at)
    assert kept.spans("User lives in Oslo") == [(late, None), (early, middle)]
    assert outcomes(kept.says("I live in Oslo.")) == ["reinforced"]
    assert outcomes(kept.says("I live in Oslo.", at=early + timedelta(days=9))) == ["reinforced"]


def test_what_ended_and_is_said_again_holds_again() -> None:
    kept = Kept()
    for before in ("added", "superseded", "superseded"):
        assert outcomes(kept.says("I live in Oslo.")) == [before]
        kept.pass_time(days=1)
        assert outcomes(kept.says("I no longer live in Oslo.")) == ["superseded"]
        assert kept.profile() == {}
        kept.pass_time(days=1)
    assert outcomes(kept.says("I live in Oslo.", "I live in Oslo.")) == ["superseded", "reinforced"]
    assert kept.profile() == {"location": {"city": "Oslo"}}
    assert len(kept.spans("User lives in Oslo")) == 4


def test_what_was_archived_and_is_said_again_is_fresh() -> None:
    kept = Kept()
    [told] = kept.says("I live in Oslo.")
    assert told.record is not None
    kept.mark(told.record, status="archived", contradicted_by="upkeep")
    kept.pass_time(days=1)
    assert [(one.outcome, one.record) for one in kept.says("I live in Oslo.")] == [("reinforced", told.record)]
    known = kept.image.records[told.record]
    assert (known.status, known.contradicted_by, known.valid_from) == ("verified", None, NOW)


def test_what_a_correction_says_again_is_verified() -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    assert outcomes(kept.says("Actually, I live in Oslo.")) == ["reinforced"]
    assert kept.current()["User lives in Oslo"].status == "verified"


def test_what_the_user_says_too_is_no_longer_in_doubt() -> None:
    kept = Kept()
    told = kept.notes("The harbour is in Oslo", **WORKFLOW)
    assert told.record is not None
    kept.mark(told.record, status="disputed", contradicted_by="e9")
    assert kept.notes("The harbour is in Oslo").reason == "said by a more trusted source"
    known = kept.image.records[told.record]
    assert (known.status, known.contradicted_by, known.trust) == ("candidate", None, 1.0)


# ------------------------------------------------------------------------------------- other words

COFFEE = ["The coffee goes to Ann", "The filter coffee goes to Ann"]


@pytest.mark.parametrize("order", list(permutations(COFFEE)))
@pytest.mark.parametrize("mine", COFFEE)
def test_the_words_of_who_is_trusted_more_stay(mine: str, order: tuple[str, str]) -> None:
    kept = Kept(alike=["coffee"])
    for text in order:
        decision = kept.notes(text, **({} if text == mine else WORKFLOW))
        kept.pass_time(hours=1)
    assert [(one.text, one.trust, one.source) for one in kept.current().values()] == [(mine, 1.0, "user_provided")]
    wording = "new" if order[1] == mine else "earlier"
    assert decision.reason == f"said before; the {wording} wording is more trusted"


def test_other_words_for_the_same_merge_and_the_more_specific_stay() -> None:
    kept = Kept(alike=["coffee"])
    assert outcomes(kept.says("I like coffee.")) == ["added"]
    later = kept.pass_time(days=1)
    [decision] = kept.says("I like filter coffee.")
    assert (decision.outcome, decision.reason) == ("merged", "said before; the new wording is more specific")
    wide, narrow = kept.rows.values()
    assert (wide.text.rstrip("."), wide.superseded_at) == ("User likes coffee", later)
    assert (narrow.id, narrow.supersedes, narrow.status) == (decision.record, wide.id, "verified")
    assert narrow.sources == ("e1", "e2")
    assert narrow.valid_from == NOW
    assert narrow.importance == pytest.approx(wide.importance + 0.05)
    assert outcomes(kept.says("I love coffee.")) == ["merged"]
    assert kept.held() == {"User likes filter coffee"}


def test_what_differs_in_one_word_is_an_alternative_however_near() -> None:
    kept = Kept(alike=["pot"])
    said = ["The key lies under the left pot", "The key lies under the right pot", "A key lies under that left pot"]
    assert outcomes([kept.notes(text) for text in said]) == ["added", "added", "merged"]
    assert len(kept.held()) == 2


def test_other_words_for_one_value_do_not_end_one_another() -> None:
    kept = Kept(alike=["york"])
    said = ["I live in New York.", "I live in New York City.", "I live in New York."]
    assert [outcomes(kept.says(text)) for text in said] == [["added"], ["merged"], ["merged"]]
    assert kept.held() == {"User lives in New York City"}


def test_of_two_wordings_the_one_that_arrives_late_is_fitted_too() -> None:
    kept = Kept(alike=["coffee"])
    for month, text in ((5, "I like coffee."), (3, "I no longer like filter coffee."), (1, "I like filter coffee.")):
        kept.says(text, at=datetime(2021, month, 1, tzinfo=UTC))
    spans = {text: (one.valid_from.month, one.valid_to and one.valid_to.month) for text, one in kept.current().items()}
    assert spans == {
        "User likes coffee": (5, None), "User no longer likes filter coffee": (3, None),
        "User likes filter coffee": (1, 3),
    }  # fmt: skip


def test_what_was_superseded_by_a_wording_that_ended_can_be_said_again() -> None:
    kept = Kept(alike=["coffee"])
    assert outcomes(kept.says("I like coffee.", "I like filter coffee.")) == ["added", "merged"]
    kept.pass_time(days=1)
    assert outcomes(kept.says("I no longer like filter coffee.")) == ["superseded"]
    kept.pass_time(days=1)
    [decision] = kept.says("I like coffee.")
    assert decision.record in kept.image.records
    assert "User likes coffee" in kept.held()


def test_without_vectors_shared_terms_tell_the_same() -> None:
    kept = Kept()
    said = [
        "The red crab of Tidepool sleeps below the big grey rock",
        "The red crab of Tidepool sleeps below the grey rock",
        "The red crab of Tidepool eats",
    ]
    assert outcomes([kept.notes(text) for text in said]) == ["added", "merged", "added"]


def test_a_better_wording_of_what_is_in_doubt_stays_in_doubt() -> None:
    kept = Kept(alike=["coffee"])
    told = kept.notes("The coffee goes to Ann")
    assert told.record is not None
    kept.mark(told.record, status="disputed", contradicted_by="e9")
    assert kept.notes("The filter coffee goes to Ann").outcome == "merged"
    [whole] = kept.current().values()
    assert (whole.text, whole.status, whole.contradicted_by) == ("The filter coffee goes to Ann", "disputed", "e9")


def test_two_records_that_say_the_same_are_united() -> None:
    kept = Kept()
    short = kept.notes("Weekly mails about invoices go to Ann")
    [known] = kept.rows.values()
    text = "Weekly mails about invoices always go to Ann"
    longer = replace(known, id="longer", text=text, hash="h", sources=("e9",), valid_from=NOW - timedelta(days=1))
    admission = kept.admission()
    admission.overlay.insert(longer, None)
    kept.write(admission.overlay.changes)
    admission = kept.admission()
    decision = admission.unite(known.id)
    assert decision is not None
    assert (decision.outcome, decision.record, decision.other) == ("merged", "longer", short.record)
    assert admission.unite(known.id) is None, "it is gone"
    assert admission.unite("longer") is None, "there is no other left"
    kept.write(admission.overlay.changes)
    [whole] = kept.current().values()
    assert (whole.text, whole.supersedes, {*whole.sources}) == (text, known.id, {"e1", "e9"})


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("The door of room 12 is green as grass", "The door of room 14 is green as grass", "added"),
        ("The red door of room 12 is green as grass", "Green as grass is the door of room 14", "added"),
        ("The harbour gate is open on every sunday", "The harbour gate is closed on every sunday", "added"),
        ("The old lighthouse stands in Serbia near Europe", "The old lighthouse stands in Serbia near Asia", "added"),
        ("The harbour gate is locked on every sunday", "The harbour gate is not locked on every sunday", "superseded"),
        ("The harbour gate is not locked on every sunday", "The harbour gate is locked on every sunday", "superseded"),
    ],
)
def test_what_differs_in_a_number_or_a_name_or_denies_is_not_the_same(first: str, second: str, outcome: str) -> None:
    kept = Kept(alike=["the"])
    kept.notes(first)
    assert kept.notes(second).outcome == outcome
    assert kept.held() == ({first, second} if outcome == "added" else {second})


# ------------------------------------------------------------------------------------- what gives way


def test_a_newer_value_supersedes() -> None:
    kept = Kept()
    [first] = kept.says("I live in Oslo.")
    moved = kept.pass_time(days=10)
    [decision] = kept.says("I moved to Bergen.")
    assert (decision.outcome, decision.other) == ("superseded", first.record)
    oslo = [row for row in kept.rows.values() if row.id == first.record]
    assert [(row.version, row.valid_to, row.superseded_at, row.status) for row in oslo] == [
        (1, None, moved, "candidate"), (2, moved, None, "expired"),
    ]  # fmt: skip
    assert kept.current()["User moved to Bergen"].supersedes == first.record


def test_a_denial_ends_what_it_denies() -> None:
    kept = Kept()
    [first] = kept.says("I work at Globex.")
    left = kept.pass_time(days=10)
    assert [(one.outcome, one.other) for one in kept.says("I no longer work at Globex.")] == [
        ("superseded", first.record)
    ]
    ended = kept.current()["User works at Globex"]
    assert (ended.valid_to, ended.status) == (left, "expired")
    assert "work" not in kept.profile()


def test_what_used_to_be_so_ends_what_was_held() -> None:
    kept = Kept()
    [first] = kept.says("I live in Oslo.")
    left = kept.pass_time(days=10)
    assert [(one.outcome, one.other) for one in kept.says("I used to live in Oslo.")] == [("ended", first.record)]
    ended = kept.current()["User lives in Oslo"]
    assert (ended.valid_to, ended.status) == (left, "expired")
    assert outcomes(kept.says("I used to live in Rome.")) == ["added"]
    assert kept.held() == set()


def test_what_is_past_does_not_end_what_is_current() -> None:
    kept = Kept()
    assert outcomes(kept.says("I live in Oslo.", "I used to live in Rome.")) == ["added", "added"]
    assert kept.held() == {"User lives in Oslo"}


def test_what_is_older_is_filed() -> None:
    kept, before = Kept(), NOW - timedelta(days=900)
    kept.says("I live in Oslo.")
    assert [(one.outcome, one.reason) for one in kept.says("I live in Rome.", at=before)] == [
        ("filed", "older than what is known")
    ]
    filed = kept.current()["User lives in Rome"]
    assert (filed.valid_from, filed.valid_to) == (before, NOW)
    assert kept.held() == {"User lives in Oslo"}


def test_what_began_earlier_is_not_what_was_said_earlier() -> None:
    kept = Kept()
    assert outcomes(kept.says("I live in Paris.")) == ["added"]
    kept.pass_time(days=1)
    assert outcomes(kept.says("I have lived in Berlin since 2015.")) == ["superseded"]
    assert kept.profile() == {"location": {"city": "Berlin"}}


@pytest.mark.parametrize("days", [2, 900])
def test_an_old_past_does_not_end_what_was_said_since(days: int) -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    kept.says("I used to live in Oslo.", at=NOW - timedelta(days=days))
    assert kept.held() == {"User lives in Oslo"}


def test_what_was_said_before_and_after_a_rival_is_split() -> None:
    kept = Kept()
    kept.says("I live in Oslo.", at=year(2021))
    kept.says("I live in Oslo.", at=year(2023))
    kept.says("I live in Rome.", at=year(2022))
    assert sorted(kept.spans("User lives in Oslo")) == [(year(2021), year(2022)), (year(2023), None)]
    assert kept.spans("User lives in Rome") == [(year(2022), year(2023))]


def test_what_turns_out_to_have_begun_earlier_ends_what_it_replaced_earlier() -> None:
    kept = Kept()
    for said, number in (("I live in Rome.", 2021), ("I live in Oslo.", 2023), ("I live in Oslo.", 2022)):
        kept.says(said, at=year(number))
    assert kept.spans("User lives in Oslo") == [(year(2022), None)]
    assert kept.spans("User lives in Rome") == [(year(2021), year(2022))]


def test_what_turns_out_to_have_begun_earlier_ends_where_it_did() -> None:
    kept = Kept()
    for said, number in (("I live in Oslo.", 2022), ("I live in Rome.", 2023), ("I live in Oslo.", 2021)):
        kept.says(said, at=year(number))
    assert kept.spans("User lives in Oslo") == [(year(2021), year(2023))]
    assert kept.spans("User lives in Rome") == [(year(2023), None)]


def test_what_was_over_before_and_after_it_was_so_is_split() -> None:
    kept = Kept()
    for said, day in (("I used to live in Oslo.", 1), ("I used to live in Oslo.", 9), ("I live in Oslo.", 5)):
        kept.says(said, at=NOW + timedelta(days=day))
    assert kept.spans("User lives in Oslo") == [(NOW + timedelta(days=5), NOW + timedelta(days=9))]
    assert len(kept.spans("User used to live in Oslo")) == 2


def test_what_has_no_attribute_stands_beside_what_has_one() -> None:
    kept = Kept()
    kept.notes("The ferry goes from the old pier")
    kept.says("I live in Oslo.")
    ferry, oslo = kept.rows.values()
    admission = kept.admission()
    words: dict[str, Any] = {"text": "The lighthouse is green", "hash": "h", "sources": ("e9",)}
    assert admission.admit(replace(ferry, id="new", **words)).outcome == "added"
    rome = replace(oslo, id="rome", text="User lives in Rome", value="Rome", hash="r", sources=("e8",))
    assert admission.admit(rome, said=NOW + timedelta(days=1)).outcome == "superseded"


@pytest.mark.parametrize(
    "said", ["I moved to Bergen this week.", "I joined Globex today.", "We decided to use Helix this month."]
)
def test_what_happened_this_week_outlasts_it(said: str) -> None:
    kept = Kept()
    kept.says(said)
    assert len(kept.held()) == 1


def test_what_is_so_for_a_time_leaves_the_rest_as_it_is() -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    start = kept.pass_time(days=1)
    for said in ("I live in Lisbon until Friday.", "I live in Rome until Friday."):
        kept.says(said)
        kept.pass_time(hours=1)
    meanwhile = kept.profile()
    assert meanwhile["location"]["city"] == ["Oslo", "Rome"]
    kept.pass_time(days=14)
    assert kept.profile()["location"]["city"] == "Oslo"
    assert outcomes(kept.says("I live in Rome until Friday.")) == ["added"]
    assert kept.profile(start) != meanwhile


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_is_so_for_a_time_and_for_good_are_two(order: tuple[int, int]) -> None:
    kept = Kept()
    for number in order:
        kept.says(("Ich wohne in Rom.", "Ich wohne bis Freitag in Rom.")[number])
        kept.pass_time(hours=1)
    kept.pass_time(days=14)
    assert kept.profile()["location"]["city"] == "Rom"


def test_a_date_that_is_stated_is_not_since_when_it_holds() -> None:
    kept = Kept()
    kept.says("The deadline is 3 March.")
    moved = kept.pass_time(days=1)
    kept.says("The deadline moved to 10 March.")
    [later] = [one for one in kept.current().values() if one.valid_to is None]
    assert (later.value, later.valid_from) == ("10 March", moved)


def test_places_do_not_contradict_one_another() -> None:
    kept = Kept()
    places: list[dict[str, Any]] = [{}, {"agent": "a"}, {"channel": "c"}]
    for number, place in enumerate(places):
        assert outcomes(kept.says(f"I live in Town{number}.", **place)) == ["added"]
    assert len(kept.held()) == 3


# ------------------------------------------------------------------------------------- policies and trust


def test_prefer_old_files_the_new_and_a_correction_wins_all_the_same() -> None:
    kept = Kept("prefer_old")
    assert outcomes(kept.says("I live in Oslo.")) == ["added"]
    kept.pass_time(days=1)
    assert outcomes(kept.says("I live in Bergen.")) == ["filed"]
    assert kept.held() == {"User lives in Oslo"}
    assert [(one.outcome, one.reason) for one in kept.says("Actually, I live in Trondheim.")] == [
        ("superseded", "corrected by the user")
    ]
    assert kept.held() == {"User lives in Trondheim"}
    assert kept.current()["User lives in Trondheim"].status == "verified"


def test_flag_review_disputes_both() -> None:
    kept = Kept("flag_review")
    assert outcomes(kept.says("I live in Oslo.", "I live in Bergen.")) == ["added", "disputed"]
    assert {text: one.status for text, one in kept.current().items()} == {
        "User lives in Oslo": "disputed", "User lives in Bergen": "disputed",
    }  # fmt: skip


def test_what_corrects_is_verified() -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    [known] = kept.rows.values()
    admission = kept.admission()
    new = replace(known, id="new", text="User lives in Rome", value="Rome", hash="h", sources=("e2",))
    assert admission.admit(new, corrects=True, said=NOW + timedelta(days=1)).reason == "corrected by the user"
    assert [one.status for one in admission.overlay.records() if one.id == "new"] == ["verified"]


def test_what_is_in_doubt_and_turns_out_to_have_begun_earlier_stays_in_doubt() -> None:
    kept = Kept("flag_review")
    for said, number in (("I live in Oslo.", 2022), ("I live in Rome.", 2023), ("I live in Oslo.", 2021)):
        kept.says(said, at=year(number))
    assert {text: (one.status, one.valid_from, one.valid_to) for text, one in kept.current().items()} == {
        "User lives in Oslo": ("disputed", year(2021), None), "User lives in Rome": ("disputed", year(2023), None),
    }  # fmt: skip


def test_two_rivals_are_both_closed() -> None:
    kept = Kept("flag_review")
    kept.says("I live in Oslo.", "I live in Bergen.")
    kept.policy = "prefer_new"
    kept.pass_time(days=1)
    assert outcomes(kept.says("I live in Rome.")) == ["superseded"]
    assert kept.held() == {"User lives in Rome"}


def test_a_less_trusted_source_is_disputed_and_disputes_nothing() -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    [known] = kept.rows.values()
    admission = kept.admission()
    rumour = replace(known, id="r", text="User lives in Rome", value="Rome", trust=0.4, source="tool_indexed", hash="h")
    assert admission.admit(rumour).outcome == "disputed"
    kept.write(admission.overlay.changes)
    assert {one.value: one.status for one in kept.current().values()} == {"Oslo": "candidate", "Rome": "disputed"}


@pytest.mark.parametrize(
    ("policy", "hours", "status", "found"),
    [
        ("prefer_new", 1, "expired", ["added", "ended"]),
        ("prefer_new", -1, "candidate", ["added"]),
        ("prefer_old", 1, "candidate", ["added"]),
        ("flag_review", 1, "disputed", ["added", "disputed"]),
    ],
)
def test_what_is_named_is_overruled(policy: Policy, hours: int, status: str, found: list[str]) -> None:
    kept = Kept(policy)
    kept.notes("The ferry goes from the old pier")
    [known] = kept.rows.values()
    admission = kept.admission()
    said = known.valid_from + timedelta(hours=hours)
    new = replace(known, id="new", text="The pier is gone", hash="h", sources=("e2",), valid_from=said, seq=0)
    admission.admit(new, said=said)
    admission.overrule(new, [known.id, "new", "unknown"], (said, "e2"))
    assert outcomes(admission.decisions) == found
    assert [one.status for one in admission.overlay.records() if one.id == known.id] == [status]
    admission.overrule(new, [known.id], (said, "e2"))
    assert [one.status for one in admission.overlay.records() if one.id == known.id] == [status]


def test_what_was_misread_never_held() -> None:
    kept = Kept()
    kept.notes("The ferry goes from the old pier")
    [known] = kept.rows.values()
    admission = kept.admission()
    new = replace(known, id="new", text="The pier is gone", hash="h", editor="consolidation", seq=0)
    admission.admit(new, said=NOW)
    admission.overrule(new, [known.id], (NOW, "e1"))
    assert admission.decisions[-1].reason == "it was read otherwise"
    assert [(one.valid_to, one.status) for one in admission.overlay.records() if one.id == known.id] == [
        (known.valid_from, "expired")
    ]


def test_what_was_amended_never_held_and_leaves_its_vector() -> None:
    kept = Kept(alike=["lives"])
    kept.says("I live in Oslo.")
    [wrong] = kept.rows.values()
    admission = kept.admission()
    later = NOW + timedelta(days=1)
    right = replace(wrong, id="new", text="User lives in Rome", value="Rome", hash="h", sources=("e1", "e2"))
    admission.admit(replace(right, valid_from=later), corrects=True, said=later, amends=wrong)
    kept.write(admission.overlay.changes)
    assert kept.spans("User lives in Oslo") == [(NOW, NOW)]
    assert (admission.overlay.vector(right) == kept.vector(wrong.text)).all()  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------- what must not come back


def test_what_was_forgotten_is_not_taken_in_until_the_user_says_it_again() -> None:
    kept = Kept()
    kept.says("I live in Oslo.")
    [known] = kept.rows.values()
    later = kept.pass_time(days=1)
    kept.image.absorb(
        tombstones=[Tombstone(tenant=OWNER.tenant, user=OWNER.user, id=known.hash, receipt="r", created_at=later)]
    )
    barred = kept.admission().admit(replace(known, id="new"))
    assert (barred.record, barred.outcome) == (None, "forgotten")
    assert kept.admission().admit(replace(known, id="new"), own=later + timedelta(days=1)).outcome != "forgotten"


@pytest.mark.parametrize("words", ["The boat leaks", "The boat leaks."])
def test_nobody_but_the_user_brings_back_what_was_rejected(words: str) -> None:
    kept = Kept()
    told = kept.notes("The boat leaks", **AGENT)
    assert told.record is not None
    kept.mark(told.record, status="rejected")
    again = kept.notes(words, **WORKFLOW)
    assert (again.outcome, again.record, again.other) == ("rejected", None, told.record)
    kept.pass_time(days=1)
    said = kept.notes(words)
    assert (said.outcome, said.record, said.reason) == ("reinforced", told.record, "said again after it was rejected")
    assert kept.image.records[told.record].status == "verified"


def test_a_rejected_value_said_in_other_words_is_the_same_belief() -> None:
    kept = Kept()
    [told] = kept.says("I live in Bergen.")
    assert told.record is not None
    kept.mark(told.record, status="rejected")
    kept.pass_time(days=1)
    assert [(one.outcome, one.record) for one in kept.says("I moved to Bergen.")] == [("reinforced", told.record)]
    assert kept.image.records[told.record].status == "verified"


def promoted(kept: Kept, record: Record, *more: str) -> Record:
    """The copy of a record in `_global`, which rests on the same events, its promotion, and `more`."""
    sources = (*record.sources, promotion_id(OWNER, record.id), *more)
    copy = replace(record, id="copy", version=1, channel="_global", promoted_from=record.id, sources=sources)
    kept.write([Add(copy), Add(passage("copy", of="record"))])
    return copy


@pytest.mark.parametrize(("there", "status"), [(False, "expired"), (True, "candidate")])
def test_a_copy_ends_with_its_original_unless_it_was_said_there_too(there: bool, status: str) -> None:
    kept = Kept()
    kept.says("I live in Oslo.", channel="boat")
    [known] = kept.rows.values()
    kept.says("Well.")  # e2, in `_global`
    copy = promoted(kept, known, *(["e2"] if there else []))
    kept.pass_time(days=1)
    kept.says("I moved to Bergen.", channel="boat")
    assert kept.image.records[known.id].status == "expired"
    assert kept.image.records[copy.id].status == status


def test_a_copy_that_was_rejected_stays_so_when_its_original_ends() -> None:
    kept = Kept()
    kept.says("I live in Oslo.", channel="boat")
    [known] = kept.rows.values()
    copy = promoted(kept, known)
    kept.mark(copy.id, status="rejected")
    kept.pass_time(days=1)
    assert outcomes(kept.says("I moved to Bergen.", channel="boat")) == ["superseded"]
    assert [kept.image.records[one].status for one in (known.id, copy.id)] == ["expired", "rejected"]
