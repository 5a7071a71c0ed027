"""The work of the subcommands on a corpus."""
