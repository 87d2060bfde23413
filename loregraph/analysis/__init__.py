"""What can be concluded from the graph: copies, consistency, context, traces. No front end, no parser, no memory."""
