import pytest

from shop.discount import amount_off, percent_off
from shop.money import Money


def test_a_percentage_is_a_part_of_the_price():
    assert percent_off(Money(2000), 25) == Money(1500)


def test_nothing_off_changes_nothing():
    assert percent_off(Money(2000), 0) == Money(2000)


def test_more_than_everything_is_refused():
    with pytest.raises(ValueError, match="101"):
        percent_off(Money(2000), 101)


def test_an_amount_off_never_leads_below_nothing():
    assert amount_off(Money(300), Money(500)) == Money(0)
