"""The `.log`: schema, parser, projection of events, time line."""
