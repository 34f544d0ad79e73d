"""What is measured, and the script that measures it."""
