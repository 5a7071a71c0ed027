"""The terminal without Textual: the visit, the texts, the reports to the hub."""
