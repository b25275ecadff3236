"""Makes the helpers of this folder importable for the tests of every folder below it."""
