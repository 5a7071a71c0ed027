"""A session: events, rules, state, store, wire, hub."""
