"""What is kept: formats, exports, hold-out, packages, verification, withdrawal, reports."""
