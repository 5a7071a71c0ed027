"""Options of the data centre's commands: each with the place of its effect and the test that looks there."""

_ARRIVALS, _TESTS, _VOLUMES, _YEAR = (
    f"corpus/centre/test_{name}.py" for name in ("arrivals", "blind_sets", "volumes", "whole_year")
)
FOLLOWED = (
    (
        "deliver",
        "--label",
        "the delivery in the ledger",
        f"{_ARRIVALS}::test_a_delivery_is_entered_once_and_a_fifth_of_it_is_held_out_at_once",
    ),
    ("deliver", "--key", "the signature that the centre checks", f"{_ARRIVALS}::test_a_key_proves_who_delivered"),
    ("deliver", "--annotations", "the files of the archive", f"{_ARRIVALS}::test_annotations_are_packed_alone"),
    (
        "deliver",
        "--site",
        "the annotators in the ledger",
        f"{_ARRIVALS}::test_annotators_deliver_under_their_own_name_and_a_corrected_delivery_keeps_their_work",
    ),
    (
        "receive",
        "--jobs --cluster",
        "the workers that verify, or the error that names the cluster",
        f"{_ARRIVALS}::test_a_delivery_is_verified_by_processes_or_a_cluster",
    ),
    (
        "release",
        "--final",
        "the lists of states",
        "corpus/centre/test_releases.py::"
        "test_annotations_come_back_by_release_and_make_its_items_preliminary_then_final",
    ),
    (
        "release",
        "--jobs --cluster",
        "the workers that read, or the error that names the cluster; the bytes are the same",
        "corpus/centre/test_releases.py::test_processes_or_a_cluster_release_the_same_bytes",
    ),
    (
        "testset",
        "--kind --size --trial",
        "the files of the package",
        f"{_TESTS}::test_a_package_tells_no_answer_and_its_key_does",
    ),
    (
        "testset",
        "--submit --score --adjudicate --repeat",
        "the scores and their repetition",
        f"{_TESTS}::test_an_official_test_follows_a_dry_run_and_repeats_bit_for_bit",
    ),
    ("volume", "--capacity --all", "the images", f"{_VOLUMES}::test_an_image_has_the_waveforms_under_names_of_level_1"),
    (
        "bug",
        "--text --by --judge",
        "the list of bugs, the history and the report",
        f"{_YEAR}::test_the_weekly_report_tells_what_flowed_what_is_late_and_what_changed",
    ),
)
