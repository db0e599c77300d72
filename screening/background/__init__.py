"""What people say of themselves: answered and taken back by them alone, counted for leads in cells of five or more."""
