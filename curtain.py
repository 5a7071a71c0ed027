"""The `curtain` command, which imports a subcommand's code only when that subcommand is called.

Exit status of all commands: 0 success; 1 findings of severity error, or a wrong or missing answer; 2 an error in the call or in
a file; 130 interrupted with Ctrl-C. Data go to standard output, messages and progress to standard error.
"""

import sys

INTERRUPTED = 130
"""The exit status that shells give a program ended by an interrupt."""


def _interrupted() -> "NoReturn":
    sys.stderr.write("\ninterrupted\n")
    sys.exit(INTERRUPTED)


if __name__ == "__main__" and not sys.flags.safe_path and sys.path[0] != __file__.rpartition("/")[0]:
    del sys.path[0]  # where `python -m` was called: a study has a `domain/` of its own

try:
    import errno
    import os
    import stat
    from importlib import import_module
    from keyword import iskeyword
    from typing import Any, NoReturn

    import click
except KeyboardInterrupt:  # loading takes long enough for somebody to press Ctrl-C
    _interrupted()

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

GROUPS = {
    "Studies": (
        "cli.study",
        (
            "new",
            "doctor",
            "rehearse",
            "demo",
            "train",
            "design",
            "roster",
            "invite",
            "freeze",
            "solutions",
            "backup",
            "pack",
        ),
    ),
    "Sessions": ("cli.session", ("wizard", "subject", "hub", "operate", "revoke", "sessions", "replay")),
    "Corpora": ("cli.corpus", ("export", "import", "verify", "show", "stats", "report", "correct", "withdraw")),
    "Annotation": ("cli.annotator", ("transcribe", "annotate", "judge")),
    "Sharing": ("cli.corpus", ("holdout", "encrypt", "merge", "rename")),
    "Data centre": ("cli.centre", ("centre", "deliver", "receive", "release", "volume", "history", "bug", "testset")),
    "English to SQL": ("cli.domain", ("learn", "ask", "principles", "domain")),
    "Evaluation": ("cli.evaluation", ("cas", "compare", "answers", "score", "luck", "templates")),
    "Speech recognition": ("cli.evaluation", ("recognise", "wer")),
}
"""Title of each group of subcommands in `--help`, the module that defines them, and their names."""

MODULES = {name: module for module, names in GROUPS.values() for name in names}


_OF_SHELLS = ("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty")
_KINDS = {stat.S_IFIFO: "named pipe", stat.S_IFSOCK: "socket", stat.S_IFCHR: "device", stat.S_IFBLK: "device"}


class CommandGroup(click.Group):
    """The group of all subcommands, each imported from its module in `cli/` when it is needed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _refuse_endless(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        # Nothing multiplies matrices; threads made for it would spin in every process that starts.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _interrupted()
        except click.MissingParameter as error:
            if error.param is None or error.param.name not in ("study", "target"):
                raise
            raise click.UsageError(f"{error.format_message()}\n\n{_first_steps_here()}", error.ctx) from None
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            raise click.UsageError(
                f"the name {str(error.filename)[:40]!r}... is too long for this disk; give a shorter one"
            ) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            return None
        command: click.Command = getattr(
            import_module(MODULES[cmd_name]), f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, (_, names) in GROUPS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl([(name, command.get_short_help_str(60)) for name, command in commands if command])


def _refuse_endless(words: list[str]) -> None:
    """Raise `UsageError` where a word of the call names a pipe, a socket or a device: some have no end, and of others nothing
    comes until somebody writes. What a shell hands over in place of a file is none of these."""
    from pathlib import Path

    for word in words:
        for name in {word, word.partition("=")[2], word.partition(":")[2]}:
            if name in _OF_SHELLS or name.startswith("/dev/fd/"):
                continue
            try:
                mode = Path(name).stat().st_mode
            except (OSError, ValueError):
                continue
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise click.UsageError(
                    f"{name} is no file but a {_KINDS[stat.S_IFMT(mode)]}; name a file that holds it"
                )


def first_steps(files: list[str]) -> str:
    """Return the first steps in a folder with these files.

    >>> first_steps([]).splitlines()[1].strip()
    'curtain new my-study            creates a study that works as it is'
    >>> first_steps(["study.toml"]).splitlines()[0]
    'This folder is a study. Next:'
    """
    if "study.toml" in files:
        return (
            "This folder is a study. Next:\n"
            "  curtain doctor .                checks the machine and the study\n"
            "  curtain wizard .                opens the wizard's console and shows the participant's command\n"
            "  curtain sessions .              lists the collected sessions"
        )
    return (
        "There is no study in this folder. First:\n"
        "  curtain new my-study            creates a study that works as it is\n"
        "  curtain rehearse my-study       runs a whole session with scripted people\n"
        "  curtain doctor my-study         checks this machine and the study\n"
        "  curtain wizard my-study         opens the wizard's console and shows the participant's command"
    )


def _first_steps_here() -> str:
    from pathlib import Path  # no call that goes well needs it here

    return first_steps([path.name for path in Path().iterdir()])


@click.group(cls=CommandGroup, context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(package_name="curtain-woz", prog_name="curtain")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Run Wizard-of-Oz collections of spoken language, from the session to a corpus that is verified, annotated and scored."""
    if ctx.invoked_subcommand is None:
        click.echo(f"{_first_steps_here()}\n\ncurtain --help lists all commands.")


if __name__ == "__main__":
    main()
