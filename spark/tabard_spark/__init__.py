"""Matching of published keys and contacts of boards over partitioned exports of tabardctl, with its rules."""
