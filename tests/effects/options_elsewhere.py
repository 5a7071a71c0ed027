"""Options whose effect another test sees, by name, and those whose far end no test looks at yet."""

import tests.effects.options_of_scoring  # noqa: F401  it registers its own
from tests.effects.options import followed
from tests.effects.options_of_centre import FOLLOWED

for command, options, place, test in FOLLOWED:
    followed(command, options, place, test)

MANY = "the number of processes; the bytes are the same"
for name in ("export", "merge", "rename"):
    followed(
        name, "--jobs", MANY, "corpus/test_many_hands.py::test_two_processes_export_merge_and_rename_the_same_bytes"
    )
for name in ("report", "stats"):
    followed(name, "--jobs", MANY, "corpus/io/test_parallel.py::test_several_processes_read_the_same_courses")
PLAN = "study/test_design.py::test_levels_change_the_profile_within_subjects_from_visit_to_visit_by_strata"
followed("design", "--csv", "the plan as CSV", PLAN)
POWER = "study/test_power.py::test_a_study_is_simulated_with_the_times_of_its_pilot"
followed("design", "--simulate --factor --power --spread", "the number of subjects needed", POWER)
ROSTER = "study/test_roster.py::test_everybody_from_the_invitation_to_the_end"
followed("roster", "--invite --pilot --person --answer --appointment --drop --csv", "the roster", ROSTER)
WHO = "study/test_roster.py::test_who_they_are_lies_outside_the_study_and_meets_nothing_else"
followed("roster", "--identities --key --name --contact --write-to --forget", "the encrypted file", WHO)
LOBBY = "server/lobby/test_lobby.py::test_an_invitation_waits_for_a_wizard_and_opens_one_visit_once"
followed("invite", "--until --count --at --revoke", "admission to the lobby, and its expiry", LOBBY)
HER_OWN = "server/lobby/test_lobby.py::test_who_was_invited_by_her_id_gets_a_session_of_her_own"
followed("invite", "--person", "the new session", HER_OWN)
SERVICE = "effects/test_desk_options.py::test_the_lobby_keeps_a_services_ids_in_the_file_that_was_named"
followed("hub", "--participants", "the file of participants", SERVICE)
SEATED = "effects/test_desk_options.py::test_a_console_keeps_a_services_ids_in_the_file_that_was_named"
followed("wizard", "--participants", "the file of participants", SEATED)
PAID = "server/test_completion_codes.py::test_each_subject_gets_a_code_of_her_own_that_the_roster_lists"
followed("roster", "--codes", "each session's completion code", PAID)
DRILL = "rehearsal/training/test_drill_run.py::test_a_drill_is_scored_told_of_and_certifies_and_is_no_data"
followed("train", "--curve --wizard", "the learning curves", DRILL)
RECORDED = "rehearsal/test_session_run.py::test_a_session_and_its_export_are_the_same_drill"
followed("train", "--drill", "the subject's words", RECORDED)
SEAT = "rehearsal/training/test_train_command.py::test_the_seat_is_the_real_console"
followed("train", "--loudspeaker --theme --turns", "the console, and the length of the drill", SEAT)
followed("train", "--condition", "the profile of the drill", SEAT)
JUDGED = "study/test_solutions.py::test_solutions_are_judged_and_only_right_ones_have_a_time"
followed("solutions", "--failures --csv", "the median times, and the table", JUDGED)
ASSEMBLED = "study/test_scenario_assembly.py::test_scenarios_of_sites_are_taken_in_together_or_not_at_all"
followed("solutions", "--assemble", "the scenarios of the study, and the sets for its design", ASSEMBLED)
FROZEN = "study/test_freeze_and_backup.py::test_a_frozen_study_refuses_edits_until_they_are_an_amendment_that_every_log_states"
followed("freeze", "--reason --show", "the state of the protocol, and `[Frozen:]`", FROZEN)
COPIED = "study/test_freeze_and_backup.py::test_a_copy_is_made_while_a_store_is_open_brought_up_to_date_and_restored"
followed("backup", "--restore", "the restored study", COPIED)
TIMED = "corpus/io/test_parallel.py::test_all_that_makes_another_directory_tells_how_much_time_is_left"
followed("holdout", "--jobs", MANY, TIMED)
followed("verify", "--jobs", MANY, "corpus/io/test_parallel.py::test_a_number_and_a_cluster_contradict_one_another")
for name in ("export", "holdout", "merge", "rename", "report", "stats", "verify"):
    place = "the cluster in use, or the error that names it"
    followed(
        name, "--cluster", place, "corpus/io/test_parallel.py::test_a_scheduler_that_is_not_there_is_one_clear_error"
    )

REFERENCES = "evaluation/references/test_make_references.py"
followed(
    "answers",
    "--database --domain --principles --replace",
    "the reference answers",
    f"{REFERENCES}::test_the_three_files_are_made_and_made_again_to_the_byte",
)
followed(
    "answers",
    "--check",
    "the files that are not what they should be",
    f"{REFERENCES}::test_the_three_files_are_made_and_made_again_to_the_byte",
)
followed(
    "answers",
    "--before",
    "the requests that a change touches",
    f"{REFERENCES}::test_a_change_of_the_principles_lists_the_requests_that_rest_on_it",
)
followed(
    "answers",
    "--sentences",
    "the statements of all sentences",
    f"{REFERENCES}::test_figure_3_a_yes_no_and_a_wh_reading_of_one_sentence",
)
followed(
    "ask",
    "--database --domain",
    "the statement, or the reason for none",
    "domain/commands/test_ask.py::test_a_database_that_is_none_is_told",
)
followed("ask", "--today", "dates in the statement", "domain/commands/test_ask.py::test_today_is_a_parameter")
CHECKED = "domain/check/test_check_domain.py::test_another_database_and_another_day_decide_the_reading"
followed("domain check", "--database --today", "the reading that is explained", CHECKED)
GROWN = "domain/commands/test_grow_domain.py::test_a_reworded_request_becomes_a_word_of_the_domain_with_its_provenance"
followed("domain grow", "--accept", "the line in the study's domain, and the new reading of the request", GROWN)
REMEMBERED = "domain/commands/test_grow_domain.py::test_what_was_sent_is_remembered_and_runs_when_it_is_said_again"
followed("domain grow", "--remember", "the statement that runs when the request is made again", REMEMBERED)
GROWN_APART = "domain/commands/test_grow_domain.py::test_a_further_domain_of_a_study_grows_by_its_own_sessions_alone"
followed("domain grow", "--domain", "the domain whose file gets the line", GROWN_APART)
followed("ask", "--json", "lines of JSON", "domain/commands/test_ask.py::test_a_line_of_json_for_each_request")
followed(
    "compare",
    "--work",
    "`undecided`",
    "evaluation/comparator/test_comparison.py::test_an_undecided_comparison_says_how_to_go_on",
)
followed(
    "score",
    "--work",
    "the column of undecided answers",
    "evaluation/scoring/test_score_input.py::test_no_answer_blocks_a_test",
)
followed(
    "correct",
    "--person --why",
    "the list of corrections that `curtain correct` shows",
    "corpus/commands/test_correct.py::test_what_is_told_is_shown_without_anything_being_changed",
)
followed(
    "correct",
    "--session",
    "the visits whose description changes",
    "corpus/commands/test_correct.py::test_a_table_that_is_told_twice_keeps_what_was_said_first",
)
followed(
    "encrypt",
    "--key",
    "the file that opens the set",
    "corpus/commands/test_encrypt.py::test_a_set_is_encrypted_from_the_command_line",
)
followed(
    "export",
    "--work",
    "transcriptions and masks of the new corpus",
    "corpus/release/test_earlier_exports.py::test_work_that_was_there_and_is_gone_stops_the_export_with_the_remedy",
)
followed(
    "export",
    "--whole",
    "the speakers of a package",
    "corpus/test_handing_over.py::test_who_is_held_out_for_tests_is_in_a_package_only_when_that_is_said",
)
followed(
    "export",
    "--database",
    "the database of the package, and its schema",
    "corpus/packages/test_dialogues.py::test_pairs_are_those_of_the_annotators_and_else_of_the_session",
)
followed(
    "export",
    "--microphone",
    "the waveforms of a package",
    "corpus/packages/test_speech_sets.py::test_any_microphone_and_several_at_once",
)
followed(
    "export",
    "--pilots",
    "the sessions of a package",
    "corpus/test_handing_over.py::test_a_package_of_a_study_has_its_pilots_only_when_that_is_said",
)
DRAWN = "corpus/release/test_holdout_file.py"
followed(
    "holdout",
    "--not-handed-over",
    "the speakers who may be drawn",
    f"{DRAWN}::test_who_was_handed_over_is_left_out_of_the_draw_until_somebody_says_that_it_never_left",
)
followed(
    "holdout",
    "--handed-over",
    "the speakers who are never drawn",
    f"{DRAWN}::test_nobody_who_was_handed_over_is_drawn_and_the_others_make_up_for_it",
)
followed(
    "export",
    "--flac",
    "the files of sound of a package",
    "corpus/packages/reading/test_reading.py::test_sound_is_packed_without_loss_where_files_have_names",
)
IMPORTED = "corpus/importing/test_import.py::test_w"
READ = f"{IMPORTED}ords_and_samples_are_those_of_the_source_and_the_corpus_is_in_order"
KNOWN = f"{IMPORTED}hat_follows_works_and_claims_nothing_that_nobody_knows"
followed("import", "--as", "the words and samples of the corpus", READ)
followed("import", "--site", "the site in the table of speakers, logs and manifest", KNOWN)
followed("import", "--speakers", "the ids of the corpus", KNOWN)
PLACES = "corpus/importing/test_import.py::test_a_site_an_id_and_a_place_that_are_none_are_refused"
followed("import", "--sounds", "the files of sound", PLACES)
LAYOUTS = "corpus/importing/test_import.py::test_layouts_of_other_programs_are_taken_as_they_mean_them"
followed("import", "--metadata", "citations and descriptions of every package", KNOWN)
followed("import", "--tier", "the words of the corpus", LAYOUTS)
followed(
    "rename",
    "--by",
    "the ids of the new corpus",
    "corpus/commands/test_rename.py::test_a_list_is_followed_where_its_people_still_bear_the_old_ids",
)
followed(
    "withdraw",
    "--spool",
    "the folders that are emptied",
    "corpus/commands/test_withdraw.py::test_no_byte_of_the_person_is_left_and_all_of_the_others_is",
)
LEARNT = "rehearsal/test_learnt_domain.py::test_what_was_learnt_holds_a_whole_session"
followed("new", "--database", "the database of the new study", LEARNT)
followed(
    "new",
    "--from",
    "the files of the new study",
    "session/study/test_archive.py::test_another_site_runs_what_was_packed_here",
)
followed(
    "transcribe",
    "--show",
    "the printed transcription",
    "annotator/test_command.py::test_what_is_submitted_is_shown_as_the_next_export_has_it",
)
followed(
    "hub",
    "--listen",
    "the address at which the hub answers",
    "server/test_hub_command.py::test_a_named_host_is_what_it_is_and_everywhere_becomes_a_place",
)
followed(
    "hub",
    "--insecure",
    "an unencrypted link, and its warning",
    "server/test_hub_command.py::test_voices_in_the_open_are_said_to_be",
)
followed(
    "hub",
    "--sessions",
    "the sessions that it opens",
    "server/test_hub_command.py::test_every_session_gets_an_address_for_each_role_and_the_end_is_orderly",
)
followed(
    "wizard",
    "--listen",
    "the address, or the error",
    "wizard/test_command.py::test_a_call_that_cannot_work_is_told_in_one_sentence",
)
followed(
    "wizard",
    "--resume",
    "the resumed session",
    "wizard/test_command.py::test_asked_for_the_last_one_that_has_not_ended_is_taken_up",
)
followed(
    "wizard",
    "--speaker",
    "the speaker of the session",
    "wizard/test_command.py::test_a_named_speaker_gets_a_session_of_her_own",
)
followed(
    "wizard",
    "--about",
    "the description of the speaker in the corpus",
    "wizard/test_command.py::test_who_is_described_gets_a_session_of_her_own_and_none_that_has_begun",
)
followed("wizard", "--wizard", "`[Wizard:]` of the log", "together/test_terminals.py::test_a_whole_scenario_by_hand")
followed(
    "subject",
    "--code --spool",
    "the code that closes the screen, the folder of waiting takes",
    "together/test_terminals.py::test_a_whole_scenario_by_hand",
)
followed(
    "demo",
    "--seed",
    "the speaker, the words, and the page about them",
    "rehearsal/demonstration/test_demonstration.py::test_a_whole_corpus_is_made_of_a_seed_and_says_that_it_is_synthetic",
)
STUCK = "rehearsal/test_command.py::test_what_got_stuck_stays_and_is_told_of"
followed("rehearse", "--out", "the folder of the rehearsal", STUCK)
followed(
    "recognise",
    "--engine",
    "the words, or the reason for none",
    "operators/recognition/test_command.py::test_an_engine_that_cannot_be_had_is_one_line",
)
followed(
    "recognise",
    "--out",
    "the file of words",
    "operators/recognition/test_command.py::test_errors_are_counted_and_the_file_is_new_and_never_in_the_corpus",
)
SOUND_CHECK = "rehearsal/test_microphone_check.py::"
for option, place, test in (
    ("--record", "the judgement of the sound", "test_the_seconds_are_judged_by_level_floor_and_clipping"),
    ("--play", "the sound played", "test_what_was_heard_is_played_to_the_sample_and_nothing_else"),
    ("--microphone", "the tested device", "test_a_microphone_that_is_not_there_is_a_fault"),
):
    followed("doctor", option, place, SOUND_CHECK + test)
KEPT = "rehearsal/test_key_findings.py::test_a_key_that_does_not_come_that_comes_as_another_or_that_comes_is_told_apart"
followed("doctor", "--keys", "the keys reported as kept", KEPT)

followed(
    "score",
    "--only",
    "the requests that are scored",
    "evaluation/test_corpus_answers.py::test_a_test_is_limited_to_the_utterances_of_a_list",
)
followed(
    "answers", "--out", "the new corpus", "evaluation/test_corpus_answers.py::test_no_answer_is_written_into_a_corpus"
)

DESKS = "effects/test_desk_options.py"
for name in ("subject", "wizard", "transcribe"):
    followed(name, "--theme", "the colour of the screen", f"{DESKS}::test_a_theme_is_the_colour_of_the_screen")
for name in ("wizard", "transcribe"):
    followed(name, "--loudspeaker", "the device in use", f"{DESKS}::test_a_loudspeaker_is_opened_by_its_name")
followed("transcribe", "--person", "the name on the work", f"{DESKS}::test_the_work_is_the_persons_who_was_named")
followed("hub", "--metrics", "the figures", f"{DESKS}::test_figures_are_at_the_address_that_was_asked_for")
followed("hub", "--browser", "the page", f"{DESKS}::test_the_page_is_served_where_a_browser_is_wanted")
followed("hub", "--behind", "every desk's address", f"{DESKS}::test_behind_a_proxy_desks_are_given_its_address")
followed(
    "revoke", "--role", "the revoked addresses", f"{DESKS}::test_only_the_roles_that_are_named_lose_their_addresses"
)
followed("wizard", "--as", "the desk's role", f"{DESKS}::test_a_console_sits_in_the_chair_that_was_named")
followed(
    "wizard",
    "--browser",
    "the subject's address",
    f"{DESKS}::test_a_console_invites_to_the_page_where_a_browser_is_wanted",
)
followed(
    "wizard",
    "--insecure",
    "the subject's address and a warning",
    f"{DESKS}::test_off_loopback_a_console_encrypts_unless_it_is_told_not_to",
)
followed(
    "operate",
    "--stage --engine --study",
    "the engine in use",
    f"{DESKS}::test_a_machine_apart_has_the_stage_the_engine_and_the_study_that_were_named",
)
followed(
    "recognise",
    "--domain --database --seconds",
    "the recogniser's vocabulary and its timeout",
    f"{DESKS}::test_a_recogniser_learns_the_domain_that_was_named_and_is_given_so_many_seconds",
)
followed(
    "rehearse",
    "--pace --watch --machines --transcriber",
    "the rehearsal",
    f"{DESKS}::test_a_rehearsal_is_as_fast_as_visible_and_as_mechanical_as_was_asked_for",
)
FURTHER = "rehearsal/test_learnt_domain.py::test_a_learnt_domain_is_a_further_one_of_a_study_over_its_own_database"
followed("rehearse", "--condition", "the condition and the domain of the rehearsal", FURTHER)
followed("replay", "--pace", "the pauses", f"{DESKS}::test_a_replay_waits_as_long_as_its_pace_says")
followed(
    "answers",
    "--today",
    "the statements",
    "evaluation/references/test_sql_from_sentences.py::test_the_day_of_a_sentence_is_said_by_call_or_domain",
)
followed(
    "score",
    "--minimal",
    "the score, and the signature below it",
    "evaluation/scoring/test_outcomes.py::test_maxima_of_a_corpus_can_be_left_out_as_before_1992",
)
followed(
    "subject",
    "--microphone",
    "the sound of the corpus",
    "together/test_spoken_visit.py::test_a_whole_visit_spoken_with_somebody_looking_on",
)
followed("subject", "--loudspeaker", "the output device", "subject/test_command.py::test_replies_are_heard_there")
followed(
    "subject",
    "--rate",
    "the rate of the stream that is opened",
    "subject/capture/test_microphones.py::test_the_command_line_comes_before_the_profile_and_the_profile_before_the_default_device",
)

ANNOTATION, ITS_DESK = "annotator/annotation/test_annotation.py", "annotator/annotation/test_annotation_app.py"
WHOLE = f"{ANNOTATION}::test_two_people_annotate_a_corpus_a_third_rules_and_systems_are_scored"
PROPOSED = f"{ANNOTATION}::test_proposals_are_nobody_s_work_until_a_person_takes_them_over"
CALLED = f"{ITS_DESK}::test_the_call_names_person_store_theme_and_loudspeaker"
followed("annotate", "--double --seed", "the printed sessions, and the sessions open to each annotator", WHOLE)
followed("annotate", "--show --scores --score --requests --out", "the output, the queue, the new corpus", WHOLE)
followed("annotate", "--domain --database", "the reference answers of the new corpus", WHOLE)
followed("annotate", "--load --source", "the proposals", PROPOSED)
followed("annotate", "--person --work --loudspeaker --theme --principles", "the desk that opens, and its store", CALLED)
followed("annotate", "--merge", "the annotators", f"{ANNOTATION}::test_separate_copies_merge_without_loss")

JUDGING = "annotator/judging/test_judging.py"
FIVE = f"{JUDGING}::test_five_dialogues_are_judged_by_three_raters_and_told_in_one_report"
RATER = f"{JUDGING}::test_the_call_names_rubric_person_store_theme_and_loudspeaker"
EVEN = f"{JUDGING}::test_raters_are_assigned_evenly_and_pairs_too"
followed("judge", "--raters --show --combine --only --search", "the printed judgements", FIVE)
followed("judge", "--each --seed", "the assignment of dialogues to raters", EVEN)
followed("judge", "--person --work --rubric --loudspeaker --theme", "the desk that opens, and its store", RATER)
BROWSED = f"{JUDGING}::test_developers_go_through_failed_turns_and_judge_nothing"
followed("judge", "--browse", "the turns that the desk goes through", BROWSED)
followed("judge", "--adjudicate", "the effect of a ruling", FIVE)
UNSEEN: set[str] = set()
"""Options whose far end no test looks at yet; nothing may be added."""
MOST_UNSEEN = 0
