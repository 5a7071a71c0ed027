"""`curtain pack`: the papers of subjects and wizards as one HTML page to print, and faults in their texts.

Subjects take over the words that they read first (BBN 1989, section 5): a text that shows how to put a request spoils what it was
written for, so every model sentence is told of.
"""

from html import escape
from pathlib import Path
from typing import TextIO

from session.study.design import Over
from session.study.folder import Study, load
from session.study.screen_words import Words, consent_sentences
from session.study.settings import Questionnaire, Scenario
from session.study.toml_reader import StudyError
from session.values.paragraphs import reflowed
from session.values.vocabulary import RecordingControl
from study.model_sentences import model_sentences

LINE = "<div class=line></div>"
CHANGES = {
    Over.SUBJECTS: "from participant to participant",
    Over.VISITS: "from visit to visit",
    Over.SCENARIOS: "from scenario to scenario",
}
BLANK = "__________ ({name})"
_STYLE = """
body { font: 11pt/1.45 serif; max-width: 42em; margin: 2em auto; color: #000; background: #fff }
section { break-after: page } h1 { font-size: 15pt } pre { white-space: pre-wrap; font: inherit }
.line { border-bottom: 1px solid #000; height: 2.2em } li { margin: .3em 0 } td { padding: .1em 1em .1em 0; vertical-align: top }
"""


def pack_command(folder: str, target: str, out: TextIO, err: TextIO) -> int:
    """Write the papers of a study to the new file `target`; 1 where a text has a model sentence, 2 for a fault."""
    if Path(target).suffix.lower() not in (".html", ".htm"):
        err.write(f"{target}: the papers are a page of HTML; name a file that ends in .html, and print that\n")
        return 2
    try:
        study = load(Path(folder))
        found = list(model_sentences(study))
        with Path(target).open("x", encoding="utf-8") as file:
            file.write(page(study))
    except FileExistsError:
        err.write(f"{target} exists already; name a new file, nothing is overwritten\n")
        return 2
    except (StudyError, OSError) as error:
        err.write(f"{error}\n")
        return 2
    out.write(f"{target}\n")
    for place, sentence in found:
        err.write(f"{place}: {sentence!r} is a sentence that subjects could repeat; describe the task instead\n")
    return 1 if found else 0


def page(study: Study) -> str:
    """Return the papers as one HTML page in the study's words, each sheet on a page of its own; it loads nothing."""
    words = study.words
    there = [(name, study.in_domain(name)) for name in study.held_domains]
    of = {name: f", {name}" if len(there) > 1 else "" for name, _ in there}
    title = words["button.instructions"]
    sheets = [_text(f"{title}{of[name]}", one.instructions) for name, one in there]
    sheets += [
        _text(f"{title}, {words['paper.condition'].format(name=name)}", text)
        for name, text in study.own_instructions.items()
    ]
    sheets += [_consent(study)]
    sheets += [_scenario(scenario, words) for _, one in there for scenario in one.scenarios.values()]
    sheets += [_form(form) for form in study.questionnaires.values()]
    for name, one in there:
        sheets += [
            _text(f"For the wizard: what the system can and cannot do{of[name]}", one.ability),
            _messages(one, of[name]),
        ]
    sheets += [_levels(study)]
    body = "".join(sheet for sheet in sheets if sheet)
    foot = f"{escape(study.site)}: papers, protocol {study.sha256[:12]}"
    way = "rtl" if words.right_to_left else "ltr"
    return (
        f'<!doctype html>\n<html lang="{escape(words.language)}" dir="{way}"><meta charset="utf-8"><title>{foot}</title>'
        f"<style>{_STYLE}</style>\n<body>\n{body}<p><small>{foot}</small></p></body></html>\n"
    )


def _text(title: str, text: str) -> str:
    return f"<section><h1>{escape(title)}</h1><pre>{escape(reflowed(text))}</pre></section>\n" if text.strip() else ""


def _consent(study: Study) -> str:
    """Return the consent form: the sentences are those that participants tick on the screen."""
    if not study.profile.consent:
        return ""
    words = study.words
    boxes = "".join(
        f"<li>☐ {escape(words['paper.yes'])} ☐ {escape(words['paper.no'])}: {escape(sentence)}</li>"
        for sentence in consent_sentences(words, typed=study.profile.recording is RecordingControl.TYPED).values()
    )
    title = words["paper.consent"].format(version=study.settings.consent_version)
    return (
        f"<section><h1>{escape(title)}</h1><pre>{escape(reflowed(study.consent_text))}</pre><ul>{boxes}</ul>"
        f"<p>{escape(words['paper.signature'])}</p>{LINE}</section>\n"
    )


def _scenario(scenario: Scenario, words: Words) -> str:
    """Return the sheet of a scenario; what is bound only when it starts is left blank, for a pen."""
    text = scenario.bound({name: BLANK.format(name=name) for name in scenario.unbound({})})
    solution = f"<p>{escape(words['paper.solution'])}</p>{LINE * 3}"
    return f"<section><h1>{escape(scenario.title)}</h1><pre>{escape(reflowed(text))}</pre>{solution}</section>\n"


def _form(form: Questionnaire) -> str:
    items = "".join(
        f"<li>{escape(item.text)}<br>{' '.join(f'☐ {escape(choice)}' for choice in item.choices) or LINE}</li>"
        for item in form.item
    )
    return f"<section><h1>{escape(form.title)}</h1><p>{escape(form.introduction)}</p><ol>{items}</ol></section>\n"


def _levels(study: Study) -> str:
    """Return for the wizard what each level of the study's factors changes, and when; nothing if nothing is varied."""
    rows = "".join(
        f"<tr><td>{escape(name)}={escape(level)}<td>{escape(CHANGES[factor.over])}"
        f"<td>{escape(', '.join(f'{key} = {value}' for key, value in keys.items()))}"
        for name, factor in study.settings.factor.items()
        for level, keys in factor.levels.items()
    )
    return f"<section><h1>For the wizard: what changes</h1><table>{rows}</table></section>\n" if rows else ""


def _messages(study: Study, of: str) -> str:
    rows = "".join(
        f"<tr><td>{message.digit or ''}<td>{escape(message.text)}<td>{escape(message.reason.replace('_', ' '))}"
        for message in sorted(study.canned_messages.values(), key=lambda one: (one.digit or 99, one.id))
    )
    return f"<section><h1>For the wizard: canned messages{escape(of)}</h1><table>{rows}</table></section>\n"
