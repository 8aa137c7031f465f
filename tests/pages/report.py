"""Reads a report as a maintainer would: search, filters, rows, links, keyboard; light and dark, desk and phone.

Usage: report.py REPORT CHROMIUM [SCREENSHOTS]
"""

import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

URL = Path(sys.argv[1]).resolve().as_uri()
SHOTS = Path(sys.argv[3]) if len(sys.argv) > 3 else None


def shoot(page, name):
    if SHOTS:
        page.screenshot(path=SHOTS / f"report-{name}.png", full_page=True)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[2], args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints, elsewhere = [], []
    page.on("console", lambda m: complaints.append(m.text))
    page.on("pageerror", lambda e: complaints.append(str(e)))
    page.on("request", lambda r: None if r.url.split("#")[0] in (URL,) or r.url.startswith("blob:") else elsewhere.append(r.url))

    page.goto(URL)
    expect(page.locator("body")).to_have_attribute("data-ready", __import__("re").compile(r"\d+"))
    expect(page.locator("#found")).to_have_text("5 rows")
    expect(page.locator(".line")).to_have_count(5)
    expect(page.locator(".tiles")).to_contain_text("5 rows")
    # Every picture has a name and its numbers.
    figures = page.locator("figure:not(.matrices)")
    assert figures.count() >= 4, figures.count()
    for figure in figures.all():
        expect(figure.locator("svg[role=img]")).to_have_attribute("aria-label", figure.locator("h2").inner_text())
        figure.locator("summary").click()
        expect(figure.locator("td").first).to_be_visible()

    # Search.
    page.keyboard.press("/")
    page.keyboard.type("heron fish")
    expect(page.locator("#found")).to_have_text("2 of 5 rows")
    page.locator("#search").fill("S101")
    expect(page.locator("#found")).to_have_text("1 of 5 rows")
    page.locator("#search").fill("nothing has this")
    expect(page.locator("#found")).to_have_text("0 of 5 rows")
    page.locator("#reset").click()
    expect(page.locator("#found")).to_have_text("5 rows")

    # Filters, alone and together.
    page.locator("#f-agreement").select_option("agree")
    expect(page.locator(".line strong")).to_have_text(["5"])
    page.locator("#f-agreement").select_option("conflict")
    page.locator("#f-verdict").select_option("False")
    expect(page.locator(".line strong")).to_have_text(["3"])

    # Open a row by mouse.
    page.locator(".line").click()
    detail = page.locator("#detail")
    expect(detail.locator("h2").first).to_have_text("Row 3")
    expect(detail).to_contain_text("Every gull is loud.")
    expect(detail).to_contain_text("¬Loud(sandy)")
    expect(detail).to_contain_text("label-contradicted")
    expect(detail).to_contain_text("contradiction")
    # What a link says is what is shown.
    link = page.url
    assert "verdict=False" in link and "row=3" in link, link
    page.goto("about:blank")
    page.goto(link)
    expect(detail.locator("h2").first).to_have_text("Row 3")
    expect(page.locator("#f-verdict")).to_have_value("False")
    expect(page.locator("#found")).to_have_text("1 of 5 rows")
    page.keyboard.press("Escape")
    expect(detail).to_be_hidden()
    page.locator("#reset").click()

    # By keyboard alone.
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(detail.locator("h2").first).to_have_text("Row 2")
    page.keyboard.press("j")
    expect(detail.locator("h2").first).to_have_text("Row 3")
    page.keyboard.press("End")
    expect(detail.locator("h2").first).to_have_text("Row 5")
    page.keyboard.press("Escape")
    expect(page.locator("#list")).to_be_focused()

    # What the data says is text.
    page.locator("#search").fill("willow")
    expect(page.locator("#found")).to_have_text("1 of 5 rows")
    page.locator(".line").click()
    expect(detail.locator("h2").first).to_have_text("Row <b>4</b>")
    expect(detail).to_contain_text("</textarea><script>document.title='run'</script>")
    assert page.title() == "Report · refolio", page.title()
    assert page.locator("#detail img, #detail script, #detail b, .line b, .line img").count() == 0
    expect(detail.locator("pre.bad").first).to_be_visible()

    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for name, width in [("desk", 1280), ("phone", 390)]:
            page.set_viewport_size({"width": width, "height": 844})
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{wide} pixels too wide"
            shoot(page, f"{scheme}-{name}")
    assert not complaints, complaints
    assert not elsewhere, elsewhere
    browser.close()
