from shop.cart import Cart
from shop.money import Money
from shop.receipt import WIDTH, print_lines


def test_the_total_is_the_sum_of_all_lines():
    cart = Cart()
    cart.add("tea", Money(350), 2)
    cart.add("cake", Money(280))
    assert cart.total() == Money(980)


def test_every_line_is_as_wide_as_the_paper():
    cart = Cart()
    cart.add("tea", Money(350), 2)
    assert {len(line) for line in print_lines(cart)} == {WIDTH}
    assert print_lines(cart)[-1].endswith("7.00")
