"""Options of the commands that score words and templates, whose effect their own tests see."""

from tests.effects.options import followed

WER = "evaluation/recognition/test_wer.py"
SYSTEMS = "evaluation/recognition/test_rival_systems.py"
for options, place, test in (
    ("--case --fragments --literal --ids --missing", "the counts", "test_terms_and_rules_change_the_counts"),
    ("--index --align --seed", "the tables", "test_the_report_has_every_table_and_says_what_was_computed"),
    ("--csv --by --page --json", "the rows written", "test_csv_and_page_hold_every_utterance"),
    (
        "--before",
        "both scores and what changed",
        "test_when_a_reference_changes_both_scores_and_the_difference_are_there",
    ),
    (
        "--nl --sls",
        "the three tests side by side",
        "test_three_tests_stand_side_by_side_and_tell_what_was_lost_to_recognition",
    ),
    ("--times", "the alignment", "test_times_align_two_files_of_words_and_plain_lines_need_no_ids"),
):
    followed("wer", options, place, f"{SYSTEMS if '--nl' in options else WER}::{test}")

TEMPLATES = "evaluation/templates/test_templates.py"
for options, place, test in (
    (
        "--messages --modified --json",
        "the tables",
        "test_a_system_is_scored_by_the_measures_of_1989_and_of_today",
    ),
    (
        "--set --hand-out --draw",
        "the texts that are scored or handed out",
        "test_phases_and_sets_stand_apart_and_participants_get_examples_but_no_key",
    ),
    ("--show", "the printed templates", "test_the_naval_corpus_keeps_its_rules_and_is_stratified"),
):
    followed("templates", options, place, f"{TEMPLATES}::{test}")
