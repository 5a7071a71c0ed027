"""What happens in a session: events, rules, state, store, wire, hub."""
