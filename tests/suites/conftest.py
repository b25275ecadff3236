"""Failed assertions of the helpers are shown like those of the tests."""

import pytest

pytest.register_assert_rewrite(
    "suites.common", "suites.gin_reference", "suites.gin_rows", "suites.memory", "suites.reference", "suites.rows"
)
