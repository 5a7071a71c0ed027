"""Sound devices: the only place that imports sounddevice, and fakes of them for tests."""
