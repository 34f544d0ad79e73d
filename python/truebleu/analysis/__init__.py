"""Why a score is what it is, and what other tools would say."""
