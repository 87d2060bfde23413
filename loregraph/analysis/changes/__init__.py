"""What a change does: two versions of the code compared, and who is affected."""
