"""Machines that operate a stage: desks without a screen."""
