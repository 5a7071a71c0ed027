"""Corpora on disk: formats, exports, hold-out, packages, verification, withdrawal, reports."""
