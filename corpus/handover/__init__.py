"""What leaves the lab: merging, renaming, encryption, copies."""
