"""What holds for all tests."""

import signal

# A job in the background starts with Ctrl-C ignored, and so would the processes of the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)
