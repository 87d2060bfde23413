"""What pages of the explorer and reports look like: templates, style, scripts, and what a template is given."""
