"""The subcommands of `curtain`: only the click definitions; a command's code is imported when it is called."""
