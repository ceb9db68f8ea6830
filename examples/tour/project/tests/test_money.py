from shop.money import Money


def test_amounts_are_added():
    assert Money(150) + Money(75) == Money(225)


def test_amounts_are_multiplied():
    assert Money(199).times(3) == Money(597)


def test_cents_are_shown_with_two_digits():
    assert str(Money(1205)) == "12.05"


def test_debts_have_a_sign():
    assert str(Money(-5)) == "-0.05"
