"""The data centre: many sites' corpora received, checked, held out, released, repaired and tested with."""
