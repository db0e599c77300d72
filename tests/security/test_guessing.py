"""A stranger who guesses at Mona's pass phrase becomes slow; Mona, and the team behind one address, do not."""

import pytest
from django.test import Client

from projects import brute_force, throttling
from tests.people import PASSWORD, person
from tests.threads import at_once

pytestmark = pytest.mark.django_db
STRANGER, HOME, OFFICE = "198.51.100.9", "203.0.113.7", "192.0.2.20"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The time that windows are counted in. It stands still, however long a sign-in takes, and is moved on by hand."""

    class Clock:
        ahead = 0.0

        def wait(self, seconds: float) -> None:
            self.ahead += seconds + 0.001  # past the end of what is waited for

    import time

    clock, start = Clock(), float(int(time.time()))
    monkeypatch.setattr("projects.throttling.time.time", lambda: start + clock.ahead)
    return clock


def sign_in(email: str, password: str = "wrong", address: str = STRANGER):
    return Client().post("/accounts/login/", {"login": email, "password": password}, REMOTE_ADDR=address)


def wait_of(answer) -> int:
    assert answer.status_code == 429, answer.status_code
    return int(answer["Retry-After"])


def test_five_wrong_phrases_of_a_stranger_leave_the_owner_her_sign_in(mona):
    for _try in range(5):
        assert sign_in(mona.email).status_code == 200
    assert wait_of(sign_in(mona.email)) > 0
    assert sign_in(mona.email, PASSWORD, HOME).status_code == 302


def test_the_right_phrase_waits_too_where_the_wrong_ones_came_from(mona):
    for _try in range(5):
        sign_in(mona.email)
    refused = sign_in(mona.email, PASSWORD)
    assert wait_of(refused) <= brute_force.PAIR_WAIT
    assert "Wait for" in refused.content.decode()


def test_each_wait_is_twice_as_long_up_to_a_quarter_of_an_hour(mona, clock):
    waits = []
    for _try in range(4):
        sign_in(mona.email)
    for _try in range(9):
        assert sign_in(mona.email).status_code == 200
        waits.append(wait_of(sign_in(mona.email)))
        clock.wait(waits[-1])
    assert waits == [15, 30, 60, 120, 240, 480, 900, 900, 900]


def test_asking_too_early_makes_nobody_wait_longer(mona, clock):
    for _try in range(5):
        sign_in(mona.email)
    for _try in range(20):
        assert wait_of(sign_in(mona.email)) <= 15
    clock.wait(15)
    assert sign_in(mona.email, PASSWORD).status_code == 302


def test_after_the_right_phrase_all_tries_are_free_again(mona):
    for _round in range(3):
        for _try in range(4):
            assert sign_in(mona.email).status_code == 200
        assert sign_in(mona.email, PASSWORD).status_code == 302


def test_people_behind_one_address_do_not_share_ten_failures(db):
    """Forty mistype twice and then come in: what each did is made good, and the address has failed for nobody."""
    for number in range(40):
        pupil = person(f"pupil{number}@example.org", "Pupil")
        assert [sign_in(pupil.email, address=OFFICE).status_code for _try in range(2)] == [200, 200]
        assert sign_in(pupil.email, PASSWORD, OFFICE).status_code == 302
    assert throttling.counted("pass phrase: accounts", OFFICE) == 0


def test_one_address_that_fails_at_many_accounts_is_slowed_down_and_its_regulars_are_not(mona, karim):
    assert sign_in(mona.email, PASSWORD, OFFICE).status_code == 302
    for number in range(brute_force.FREE_ACCOUNTS):
        assert sign_in(f"guess{number}@example.org", address=OFFICE).status_code == 200
    assert sign_in("guess-a@example.org", address=OFFICE).status_code == 200  # its turn: the next one waits
    assert wait_of(sign_in("guess-b@example.org", address=OFFICE)) > 0
    assert wait_of(sign_in(karim.email, PASSWORD, OFFICE)) > 0
    assert sign_in(mona.email, PASSWORD, OFFICE).status_code == 302
    assert sign_in(karim.email, PASSWORD, HOME).status_code == 302


def test_a_good_account_of_ones_own_gives_a_guesser_nothing_back(mona, karim):
    """Karim guesses at Mona's phrase and signs in as himself in between."""
    for _try in range(5):
        sign_in(mona.email)
        assert sign_in(karim.email, PASSWORD).status_code == 302
    wait_of(sign_in(mona.email))


def test_many_addresses_lose_their_free_tries_and_the_owner_is_let_in_from_anywhere(mona):
    for number in range(brute_force.FREE_FAILURES):
        assert sign_in(mona.email, address=f"10.0.0.{number}").status_code == 200
    assert sign_in(mona.email, address="10.1.0.1").status_code == 200
    assert wait_of(sign_in(mona.email, address="10.1.0.1")) > 0  # the second from there, no longer the sixth
    assert sign_in(mona.email, PASSWORD, address="10.1.0.2").status_code == 302


def test_the_addresses_of_one_household_count_as_one(mona):
    for number in range(5):
        assert sign_in(mona.email, address=f"2001:db8:1:1::{number}").status_code == 200
    assert wait_of(sign_in(mona.email, address="2001:db8:1:1:ffff::9")) > 0
    assert sign_in(mona.email, address="2001:db8:1:2::1").status_code == 200


def test_letters_and_spaces_make_no_other_account(mona):
    for spelling in (mona.email, mona.email.upper(), f" {mona.email} ", mona.email.title(), mona.email):
        sign_in(spelling)
    wait_of(sign_in(mona.email.upper()))


def test_a_script_is_told_in_json(mona):
    for _try in range(5):
        sign_in(mona.email)
    form = {"login": mona.email, "password": "wrong"}
    answer = Client().post("/accounts/login/", form, REMOTE_ADDR=STRANGER, headers={"Accept": "application/json"})
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "throttled"


def test_a_reset_is_asked_for_a_few_times_a_minute_only():
    ask = {"email": "somebody@example.org"}
    sent = [Client().post("/accounts/password/reset/", ask, REMOTE_ADDR=f"10.0.1.{n}").status_code for n in range(6)]
    assert sent == [302] * 5 + [429]


@pytest.mark.django_db(transaction=True)
def test_twenty_guesses_at_one_moment_are_five(mona):
    """A try is counted before the phrase is looked at, so starting many at once is no way round."""

    def is_looked_at(_guess: int) -> bool:
        try:
            brute_force.begin(brute_force.PASS_PHRASE, mona.email, STRANGER)
        except brute_force.TooSoon:
            return False
        return True

    assert at_once(is_looked_at, range(20)).count(True) == brute_force.FREE_TRIES


def test_a_try_that_was_refused_for_its_address_does_not_use_up_the_turn_of_its_account(mona, clock, monkeypatch):
    for _try in range(5):
        sign_in(mona.email)
    clock.wait(brute_force.PAIR_WAIT + 1)
    monkeypatch.setattr(brute_force, "FREE_ACCOUNTS", 0)
    assert sign_in("nobody@example.org").status_code == 200  # which has the turn of the address
    refused = wait_of(sign_in(mona.email, PASSWORD))
    assert refused <= brute_force.ADDRESS_WAIT * 4
    clock.wait(refused)
    assert sign_in(mona.email, PASSWORD).status_code == 302


def test_thousands_of_accounts_that_failed_are_no_number_too_large():
    assert brute_force.doubled(2.0, 5000, 300.0) == 300.0
