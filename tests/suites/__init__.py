"""One set of suites for every variant of the registry: a variant added later is picked up by itself."""
