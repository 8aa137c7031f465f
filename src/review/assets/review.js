"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const LABELS = ["True", "False", "Uncertain"];
  const SETTLES = ["accept", "relabel", "ambiguous", "reject"];
  /** Milliseconds without a key before texts are tried. */
  const PAUSE = 120;
  const state = { items: [], at: null, shown: null, row: null, tried: 0, told: 0, timer: null, busy: false, drafts: new Map() };

  /** An element with properties and children; texts are never markup. */
  function make(tag, props = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(props)) {
      if (key === "class") element.className = value;
      else if (key === "on") Object.entries(value).forEach(([event, run]) => element.addEventListener(event, run));
      else if (key in element && typeof value !== "string") element[key] = value;
      else element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  async function ask(path, body) {
    const options = body === undefined ? {} : {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    };
    let response;
    try {
      response = await fetch(`api/${path}`, options);
    } catch {
      throw new Error("the server does not answer; reload to see what it has kept");
    }
    const text = await response.text();
    let said;
    try {
      said = JSON.parse(text);
    } catch {
      throw new Error(text || response.statusText);
    }
    if (!response.ok) throw new Error(said.error);
    return said;
  }

  function tell(text, bad = false) {
    const box = $("told");
    box.textContent = text;
    box.className = bad ? "told bad" : "told";
    box.hidden = false;
    clearTimeout(state.told);
    state.told = setTimeout(() => { box.hidden = true; }, bad ? 8000 : 2500);
  }

  const guarded = (work) => (...args) => (async () => work(...args))().catch((error) => tell(error.message, true));

  const isOpen = (item) => !SETTLES.includes(item.mine) || ["refused", "disagreement"].includes(item.decision);

  function wanted() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    return state.items.filter((item) => {
      if ($("open").checked && !isOpen(item) && item.id !== state.at) return false;
      const text = [item.id, item.split, item.conclusion, item.label, item.verdict, item.status, item.reason].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  /** Items beyond this many are reached by searching: a list of fifty thousand helps nobody. */
  const LISTED = 500;

  function list() {
    const shown = wanted();
    const lines = shown.slice(0, LISTED).map((item) => {
      const lost = ["refused", "disagreement"].includes(item.decision);
      const said = lost ? item.decision : item.mine;
      return make("li", {}, make("button", {
        type: "button", "data-id": item.id, "aria-current": String(item.id === state.at), on: { click: guarded(() => open(item.id)) },
      }, make("span", { class: "line" }, make("span", {}, item.id), said ? make("span", { class: lost ? "lost" : "state" }, said) : ""),
      make("small", {}, `${item.label ?? "no label"} · ${item.verdict}${item.reason ? ` · ${item.reason}` : ""}`),
      make("small", {}, item.conclusion)));
    });
    if (shown.length > LISTED) lines.push(make("li", {}, `${shown.length - LISTED} more; search to see them`));
    if (shown.length === 0) lines.push(make("li", {}, state.items.length === 0 ? "No row needs a review." : "Nothing here."));
    $("items").replaceChildren(...lines);
    const current = $("items").querySelector("[aria-current=true]");
    if (current) current.scrollIntoView({ block: "nearest" });
  }

  function progress(of) {
    $("done").max = Math.max(of.rows, 1);
    $("done").value = of.decided;
    const more = [of.skipped ? `${of.skipped} skipped` : "", of.disagreements ? `${of.disagreements} disagreements` : ""];
    $("count").textContent = [`${of.decided} of ${of.rows} decided`, ...more].filter(Boolean).join(", ");
  }

  const editors = () => [...document.querySelectorAll("textarea[data-target]")];
  const edits = () => editors().filter((e) => e.value !== e.dataset.stands).map((e) => ({ target: e.dataset.target, after: e.value }));

  async function open(id) {
    const said = await ask(`row?id=${encodeURIComponent(id)}`);
    state.at = id;
    state.row = said;
    draw(said);
    list();
    history.replaceState(null, "", `#${encodeURIComponent(id)}`);
    await check();
  }

  function draw(said) {
    const view = said.view;
    const item = state.items.find((i) => i.id === state.at);
    const work = $("work");
    const title = make("h1", {}, `Row ${view.record_id}`);
    const place = make("p", { class: "dim" }, [view.split, item && item.reason].filter(Boolean).join(" · "));
    const outcome = make("div", { class: "outcome", id: "outcome", role: "status", "aria-live": "polite" });
    const statements = view.statements.map((s) => statement(s, said));
    const comment = make("textarea", { id: "comment", rows: 1, placeholder: "Why? (optional, goes with the decision)", "aria-label": "Comment" });
    const button = (text, key, action, more = {}) => make("button", {
      type: "button", title: `${text} (${key})`, "data-action": more.label ? `relabel-${more.label}` : action,
      on: { click: guarded(() => decide(action, more)) },
      class: said.history.length && item && item.mine === action && (action !== "relabel" || more.label === view.label) ? "chosen" : "",
    }, text);
    const actions = make("div", { class: "actions" }, button("Accept", "a", "accept"),
      ...LABELS.filter((l) => l !== view.label).map((l) => button(`Label ${l}`, l === "True" ? "t" : l === "False" ? "f" : "i", "relabel", { label: l })),
      button("Ambiguous sentence", "m", "ambiguous"), button("Reject", "x", "reject"), button("Comment only", "", "comment"), button("Skip", "s", "skip"));
    actions.querySelector("[data-action=accept]").classList.add("main");
    const choices = said.candidates.map((candidate) => make("div", { class: "choice" },
      make("strong", {}, candidate.source), make("span", { class: "dim" }, candidate.why ? ` ${candidate.why}` : ""),
      ...candidate.edits.map((edit) => make("div", {}, make("span", { class: "dim" }, `${edit.target}: `), make("code", {}, edit.after))),
      make("button", { type: "button", "data-use": "", on: { click: () => use(candidate.edits) } }, "Use")));
    const said_before = said.history.map((d) => make("li", {},
      `${d.at.replace("T", " ").replace(/\..*/, "")} ${d.by}: ${d.action}${d.label ? ` ${d.label.after}` : ""}${d.comment ? ` – ${d.comment}` : ""}`));
    work.replaceChildren(...[title, place, outcome, ...statements, make("div", { class: "comment" }, comment), actions,
      choices.length ? make("details", { open: choices.length < 4 }, make("summary", {}, `Repairs to choose from (${choices.length})`), ...choices) : null,
      said_before.length ? make("details", { open: true }, make("summary", {}, "Said so far"), make("ul", {}, ...said_before)) : null,
      make("details", { id: "account", open: true }, make("summary", {}, "What the verdict rests on"), make("div", { id: "proof" })),
      make("details", { id: "all" }, make("summary", {}, "Everything about this row"), refolio.rowElement(view))].filter(Boolean));
    window.scrollTo(0, 0);
  }

  function statement(s, said) {
    const name = s.target === "conclusion" ? "Conclusion" : `Premise ${/\d+/.exec(s.target)}`;
    const value = s.formula ?? "";
    const box = make("textarea", {
      rows: Math.min(6, Math.ceil((value.length + 1) / 80)), spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "data-target": s.target, "aria-label": `Formula of ${name.toLowerCase()}`, on: { input: typed, keydown: inEditor },
    });
    // What was typed and not decided yet waits for whoever comes back.
    box.value = state.drafts.get(state.at)?.[s.target] ?? value;
    box.dataset.stands = value;
    const was = s.original !== null && s.original !== undefined && s.original !== value
      ? make("div", { class: "dim" }, "as it came: ", make("code", {}, s.original)) : null;
    return make("div", { class: "statement", "data-of": s.target },
      ...[make("div", {}, make("span", { class: "name" }, name), s.sentence ?? ""), box, was, make("div", { class: "remarks" })].filter(Boolean));
  }

  /** Operators that keyboards lack, typed as others write them. */
  const SIGNS = [["<->", "↔"], ["->", "→"], ["\\forall ", "∀"], ["\\exists ", "∃"], ["\\and ", "∧"], ["\\or ", "∨"], ["\\xor ", "⊕"], ["\\not ", "¬"]];

  /** Keeps what differs from what stands. */
  function keep() {
    const changed = edits();
    if (changed.length) state.drafts.set(state.at, Object.fromEntries(changed.map((edit) => [edit.target, edit.after])));
    else state.drafts.delete(state.at);
  }

  function typed(event) {
    const box = event.target;
    if (event.isComposing) return;
    for (const [from, to] of SIGNS) {
      const end = box.selectionStart;
      if (box.value.slice(0, end).endsWith(from)) box.setRangeText(to, end - from.length, end, "end");
    }
    keep();
    clearTimeout(state.timer);
    state.timer = setTimeout(guarded(check), PAUSE);
  }

  function inEditor(event) {
    if (event.key === "Escape") event.target.blur();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      guarded(() => decide("accept"))();
    }
  }

  function use(candidate) {
    for (const box of editors()) box.value = box.dataset.stands;
    for (const edit of candidate) {
      const box = editors().find((e) => e.dataset.target === edit.target);
      if (box) box.value = edit.after;
    }
    keep();
    guarded(check)();
  }

  /** Has the texts tried; of answers that overtake each other only the last counts. */
  async function check() {
    const turn = ++state.tried;
    const changed = edits();
    for (const box of editors()) box.classList.toggle("changed", box.value !== box.dataset.stands);
    const said = await ask("check", { id: state.at, edits: changed });
    if (turn !== state.tried) return;
    const good = said.agreement === "agree";
    const outcome = $("outcome");
    outcome.dataset.verdict = said.verdict;
    outcome.dataset.agreement = said.agreement;
    outcome.dataset.edits = String(changed.length);
    outcome.replaceChildren(make("strong", { class: good ? "good" : "bad" }, said.verdict),
      make("span", {}, said.label ? `label ${said.label}: ${said.agreement}` : "no label"),
      make("span", { class: "dim" }, [said.reason, said.evidence && `rests on ${said.evidence}`, ...said.signals, `${said.ms.toFixed(1)} ms`].filter(Boolean).join(" · ")));
    if (said.siblings.length) {
      const lost = said.siblings.filter((s) => s.label === s.before && s.after !== s.before);
      outcome.append(make("details", { open: lost.length > 0 }, make("summary", { class: lost.length ? "bad" : "dim" },
        lost.length ? `${lost.length} other rows of the story would lose their label` : `${said.siblings.length} other rows of the story keep agreeing or gain`),
      make("ul", { class: "siblings" }, ...said.siblings.map((s) => make("li", { class: lost.includes(s) ? "bad" : "" },
        `${s.id}: ${s.before === s.after ? s.after : `${s.before} → ${s.after}`}, label ${s.label ?? "none"} – ${s.conclusion}`)))));
    }
    for (const part of document.querySelectorAll(".statement")) {
      const remarks = said.remarks.filter((r) => r.target === part.dataset.of);
      part.querySelector("textarea").classList.toggle("error", remarks.some((r) => r.severity === "error"));
      const errors = remarks.filter((r) => r.severity === "error").map((r) => make("pre", { class: "bad" }, r.frame));
      const others = remarks.filter((r) => r.severity !== "error");
      part.querySelector(".remarks").replaceChildren(...errors, ...(others.length ? [make("details", {},
        make("summary", {}, others.map((r) => `${r.code} ${r.message}`).join(" · ")), ...others.map((r) => make("pre", {}, r.frame)))] : []));
    }
    // Escaped where it was made; the page's policy lets no script of it run.
    $("proof").innerHTML = said.account;
    return said;
  }

  async function decide(action, more = {}) {
    if (state.at === null) return;
    if (state.busy) return tell("the decision before is being kept; once more, please", true);
    const id = state.at;
    const takesTexts = action === "accept" || action === "relabel";
    const body = { id, action, edits: takesTexts ? edits() : [], comment: $("comment").value, seen: state.row.seen, ...more };
    state.busy = true;
    let said;
    try {
      said = await ask("decide", body);
    } finally {
      state.busy = false;
    }
    if (action !== "comment" && action !== "skip") state.drafts.delete(id);
    take(said);
    const lost = said.items.filter((item) => ["refused", "disagreement"].includes(item.decision));
    const label = said.decision.label ? ` ${said.decision.label.after}` : "";
    const but = lost.length ? `; ${lost.map((item) => `${item.id} is ${item.decision}`).join(", ")}` : "";
    tell(`${id}: ${said.decision.action}${label}, kept${but}`, lost.length > 0);
    // Whoever has gone on meanwhile is left where they are.
    if (state.at !== id) return;
    if (action === "comment") await open(id);
    else await next(true);
  }

  function take(said) {
    const news = new Map(said.items.map((item) => [item.id, item]));
    state.items = state.items.map((item) => news.get(item.id) ?? item);
    progress(said.progress);
    list();
  }

  async function undo() {
    const said = await ask("undo", {});
    take(said);
    tell(`${said.decision.record_id}: taken back`);
    await open(said.decision.record_id);
  }

  async function next(onlyOpen, step = 1) {
    const all = onlyOpen ? state.items : wanted();
    const at = all.findIndex((item) => item.id === state.at);
    const order = onlyOpen ? [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))] : [all[at + step]];
    const fits = (item) => item && (!onlyOpen || (isOpen(item) && item.mine !== "skip"));
    const found = order.find(fits) ?? (onlyOpen ? order.find((item) => item && isOpen(item)) : undefined);
    if (found) await open(found.id);
    else if (onlyOpen) {
      await open(state.at);
      const here = state.items.find((item) => item.id === state.at);
      tell(here && isOpen(here) ? "This is the only row that is open." : "Every row is decided.");
    }
  }

  const KEYS = {
    j: () => next(false, 1), k: () => next(false, -1), n: () => next(true),
    e: () => { const first = editors()[0]; if (first) first.focus(); },
    a: () => decide("accept"), m: () => decide("ambiguous"), x: () => decide("reject"), s: () => decide("skip"), u: undo,
    t: () => relabel("True"), f: () => relabel("False"), i: () => relabel("Uncertain"),
    c: () => $("comment").focus(), "/": () => $("search").focus(), "?": () => $("keys").click(),
  };

  function relabel(label) {
    if (state.row.view.label === label) return tell(`the label is ${label} already`);
    return decide("relabel", { label });
  }

  document.addEventListener("keydown", (event) => {
    const typing = ["TEXTAREA", "INPUT", "SELECT"].includes(event.target.tagName);
    if (typing && event.key === "Escape") event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = KEYS[event.key];
    if (!run) return;
    event.preventDefault();
    guarded(run)();
  });
  $("undo").addEventListener("click", guarded(undo));
  $("keys").addEventListener("click", () => {
    $("help").hidden = !$("help").hidden;
    $("keys").setAttribute("aria-expanded", String(!$("help").hidden));
  });
  $("search").addEventListener("input", list);
  $("open").addEventListener("change", list);

  guarded(async () => {
    const said = await ask("queue");
    state.items = said.items;
    $("who").textContent = said.reviewer;
    progress(said.progress);
    const named = decodeURIComponent(location.hash.slice(1));
    const first = state.items.find((item) => item.id === named) ?? state.items.find(isOpen) ?? state.items[0];
    list();
    if (first) await open(first.id);
  })();
})();
