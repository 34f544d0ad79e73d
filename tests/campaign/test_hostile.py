"""A small part of the campaign that opens pages with hostile names, texts and addresses."""

import browser  # noqa: F401  # Skips where there is none.
import pytest

from campaign import hostile

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow


def test_pages(tmp_path):
    """Whatever a name, a text or an address is, nothing runs, breaks, or is said on the console."""
    with hostile.started() as chromium:
        for title, every, most in (
            ("names.html", 12, 1),
            ("markup.html", 30, 2),
            ("a metric of one's own.html", 30, 2),
            ("playground.html", 6, 12),
        ):
            write, ready, keys = hostile.PAGES[title]
            write(tmp_path / title)
            states = hostile.addresses(keys)
            assert (len(states), len(set(states))) == (114, 114)
            address = (tmp_path / title).as_uri()
            assert hostile.try_page(chromium, address, ready, states[3::every], most)["uses"] > 20


def test_a_fault_is_found(tmp_path):
    """A page that throws, talks, asks for something, or takes markup from its address fails."""
    scripts = {
        "error: x": "throw new Error('x')",
        "console: x": "console.log('x')",
        "request: http://127.0.0.1:1/": "fetch('http://127.0.0.1:1/').catch(() => {})",
        "dialog: x": "alert('x')",
        "a script ran: 1": "window.hacked = 1",
        "img has onerror=x": "document.body.innerHTML = '<img src=data:, onerror=x>'",
        "every object has x": "Object.prototype.x = 1",
        "the page shows an object": "document.body.append(String(({}).toString))",
    }
    page = tmp_path / "page.html"
    with hostile.started() as chromium:
        for fault, script in scripts.items():
            page.write_text(f"<body data-ready=1><script>onload = () => {{ {script} }}</script>")
            with pytest.raises(AssertionError, match=r"page\.html") as caught:
                hostile.try_page(chromium, page.as_uri(), "body[data-ready]", [""] * 2, 1)
            assert fault in str(caught.value)
