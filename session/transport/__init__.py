"""The wire over WebSockets: the only place that imports websockets."""
