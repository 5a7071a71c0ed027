"""From the events of a study to the MADCOW layout."""
