"""Reviews as a person would: by mouse and keyboard, in light and dark, on a desk and on a phone.

Usage: review.py URL CHROMIUM [SCREENSHOTS]
"""

import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

URL, CHROMIUM = sys.argv[1:3]
SHOTS = Path(sys.argv[3]) if len(sys.argv) > 3 else None


def shoot(page, name):
    if SHOTS:
        page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


def fits(page):
    """Nothing makes the page wider than its window."""
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{wide} pixels too wide"


def outcome(page, verdict, agreement):
    expect(page.locator("#outcome")).to_have_attribute("data-verdict", verdict)
    expect(page.locator("#outcome")).to_have_attribute("data-agreement", agreement)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: complaints.append(str(e)))
    elsewhere = []
    page.on("request", lambda r: None if r.url.startswith(URL) else elsewhere.append(r.url))

    page.goto(URL)
    expect(page.locator("#items li")).to_have_count(4)
    expect(page.locator("#count")).to_have_text("0 of 4 decided")

    # Search, and open what was found.
    page.keyboard.press("/")
    page.keyboard.type("grey eats")
    expect(page.locator("#items li")).to_have_count(1)
    page.locator("#items button").click()
    expect(page.locator("#work h1")).to_have_text("Row 1")
    outcome(page, "Uncertain", "conflict")

    # A formula wrongly, then rightly, as it is typed.
    formula = page.get_by_label("Formula of premise 1")
    formula.fill("Heron(grey")
    outcome(page, "Unparsed", "unparsed")
    expect(page.locator("[data-of='premise[1]'] pre.bad")).to_contain_text("Heron(grey")
    shoot(page, "wrong")
    formula.fill("Heron(grey)")
    outcome(page, "True", "agree")
    expect(page.locator("[data-of='premise[1]'] pre.bad")).to_have_count(0)
    expect(page.locator("#proof")).to_contain_text("Heron(grey)")
    expect(page.locator("#outcome")).to_contain_text("other rows of the story")
    shoot(page, "right")

    # What was typed waits for whoever looks at another row meanwhile.
    page.locator("#search").fill("")
    page.locator("#items button", has_text="Sandy").click()
    expect(page.locator("#work h1")).to_have_text("Row 3")
    page.locator("#items button", has_text="Grey eats fish").click()
    expect(formula).to_have_value("Heron(grey)")
    outcome(page, "True", "agree")

    # Operators as they are typed elsewhere.
    conclusion = page.get_by_label("Formula of conclusion")
    conclusion.fill("")
    conclusion.press_sequentially("Heron(grey) -> Eat(grey, fish)")
    expect(conclusion).to_have_value("Heron(grey) → Eat(grey, fish)")
    conclusion.fill("Eat(grey, fish)")
    outcome(page, "True", "agree")

    # Accept while editing; the next open row comes by itself.
    page.locator("#comment").fill("one bird")
    conclusion.press("Control+Enter")
    expect(page.locator("#count")).to_have_text("1 of 4 decided")
    expect(page.locator("#work h1")).not_to_have_text("Row 1")

    # Reload: it is kept.
    page.goto(URL + "#1")
    page.reload()
    expect(page.locator("#work h1")).to_have_text("Row 1")
    expect(page.get_by_label("Formula of premise 1")).to_have_value("Heron(grey)")
    outcome(page, "True", "agree")
    expect(page.locator("#work")).to_contain_text("ada: accept – one bird")
    expect(page.locator("#count")).to_have_text("1 of 4 decided")

    # The other record of the story has the new premise.
    page.goto(URL + "#2")
    page.reload()
    outcome(page, "True", "agree")

    # By keyboard: another label, undone, then skipped.
    page.goto(URL + "#3")
    page.reload()
    expect(page.locator("#work h1")).to_have_text("Row 3")
    outcome(page, "False", "conflict")
    page.keyboard.press("f")
    expect(page.locator("#count")).to_have_text("2 of 4 decided")
    page.keyboard.press("u")
    expect(page.locator("#count")).to_have_text("1 of 4 decided")
    expect(page.locator("#work h1")).to_have_text("Row 3")
    page.goto(URL + "#2")
    page.reload()
    expect(page.locator("#work h1")).to_have_text("Row 2")
    page.keyboard.press("s")
    expect(page.locator("#count")).to_contain_text("1 skipped")

    # What the data says is text, wherever it is shown; and what has no reading cannot be accepted.
    page.goto(URL + "#" + "%3Cb%3E4%3C%2Fb%3E")
    page.reload()
    expect(page.locator("#work h1")).to_have_text("Row <b>4</b>")
    expect(page.locator("#work")).to_contain_text("<script>document.title='run'</script>")
    page.locator("#all summary").first.click()
    assert page.title() == "Review · refolio", page.title()
    assert page.locator("#work img, #work script, #work iframe, #work b").count() == 0
    page.keyboard.press("a")
    expect(page.locator("#told")).to_contain_text("has no reading")
    complaints.clear()  # The browser notes the refusal.
    page.keyboard.press("m")
    expect(page.locator("#count")).to_contain_text("2 of 4 decided")

    # Everything can be reached without a mouse.
    page.goto(URL + "#3")
    page.reload()
    expect(page.locator("#outcome strong")).to_be_visible()
    page.locator("#search").focus()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(document.activeElement.dataset.action ?? document.activeElement.dataset.target) || ''"))
    assert {"premise[0]", "conclusion", "accept", "reject", "relabel-False"} <= reached, reached

    # On a phone and in the dark.
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for name, width in [("desk", 1280), ("phone", 390)]:
            page.set_viewport_size({"width": width, "height": 844})
            fits(page)
            shoot(page, f"{scheme}-{name}")
    assert not complaints, complaints
    assert not elsewhere, elsewhere
    browser.close()
