"""How data moves: generators of shifts, and detectors of them."""
