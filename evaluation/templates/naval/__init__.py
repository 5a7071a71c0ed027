"""Sundheim's naval task (1989): its slots, and a small corpus of messages written for this project, with filled templates."""
