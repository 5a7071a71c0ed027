"""The demonstration corpus: sites, speakers, sessions and annotations made from a seed, through every step of a real one."""
