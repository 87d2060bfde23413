"""What really ran: reads what coverage tools, test runners and the pytest plugin wrote, and finds the functions in
it."""
