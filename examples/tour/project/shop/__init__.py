"""Prices, discounts and receipts."""
