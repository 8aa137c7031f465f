"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const { make, rowElement } = refolio;
  /** Pixels of one line of the list; as in the style. */
  const LINE = 56;
  /** Lines that are kept beyond what is seen, above and below. */
  const SPARE = 12;
  const FILTERS = [["split", "split"], ["label", "label"], ["verdict", "verdict"], ["agreement", "agreement"], ["came", "came as"],
    ["status", "status"], ["rules", "rule"], ["kinds", "mended by"], ["decision", "decision"]];
  const state = { index: null, found: [], at: -1, open: null, texts: null, stories: null, pieces: new Map(), turn: 0, settings: "" };

  /** What is packed in an element of the page. */
  async function unpack(id) {
    const element = $(id);
    const text = atob(element.textContent);
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  /** Everything there is to show of a row. Pieces that were looked at last are kept. */
  async function view(row) {
    const number = Math.floor(row / state.index.piece);
    if (!state.pieces.has(number)) {
      if (state.pieces.size >= 16) state.pieces.delete(state.pieces.keys().next().value);
      state.pieces.set(number, unpack(`p${number}`));
    }
    return (await state.pieces.get(number))[row % state.index.piece];
  }

  const word = (column, row) => column.words[column.values[row]];

  /** Whether a row has all words somewhere. Texts are made small once. */
  function matches(row, words) {
    const { index } = state;
    const story = index.stories.values[row];
    state.stories ??= [];
    state.texts ??= [];
    const shared = (state.stories[story] ??= index.stories.words[story].toLowerCase());
    const own = (state.texts[row] ??= [index.ids[row], index.conclusions[row], index.formulas[row], index.reasons[row],
      ...index.rules.values[row].map((n) => index.rules.words[n])].join("\n").toLowerCase());
    return words.every((w) => own.includes(w) || shared.includes(w));
  }

  const settings = () => {
    const out = { q: $("search").value.trim(), order: $("order").value, proposals: $("proposals").checked ? "1" : "" };
    for (const [name] of FILTERS) out[name] = $(`f-${name}`).value;
    return out;
  };

  function find() {
    const { index } = state;
    const wanted = settings();
    const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
    const numbers = FILTERS.filter(([name]) => wanted[name] !== "").map(([name]) => [index[name], index[name].words.indexOf(wanted[name])]);
    const has = (column, number, row) => {
      const value = column.values[row];
      return Array.isArray(value) ? value.includes(number) : value === number;
    };
    const found = [];
    for (let row = 0; row < index.ids.length; row += 1) {
      if (wanted.proposals && index.proposals[row] === 0) continue;
      if (numbers.every(([column, number]) => has(column, number, row)) && matches(row, words)) found.push(row);
    }
    if (wanted.order === "score") found.sort((a, b) => (index.scores[b] ?? -1) - (index.scores[a] ?? -1) || a - b);
    state.found = found;
    state.at = found.indexOf(state.open);
    $("found").textContent = found.length === index.ids.length ? `${found.length} rows` : `${found.length} of ${index.ids.length} rows`;
    $("tall").style.height = `${found.length * LINE}px`;
    if (state.at >= 0) reveal(); else $("list").scrollTop = 0;
    paint();
  }

  /** Only lines that are seen, and a few more, are elements. */
  function paint() {
    const list = $("list");
    const first = Math.max(0, Math.floor(list.scrollTop / LINE) - SPARE);
    const last = Math.min(state.found.length, Math.ceil((list.scrollTop + list.clientHeight) / LINE) + SPARE);
    const lines = [];
    for (let at = first; at < last; at += 1) lines.push(line(at));
    $("tall").replaceChildren(...lines);
    if (state.at >= 0) list.setAttribute("aria-activedescendant", `line-${state.at}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function line(at) {
    const row = state.found[at];
    const { index } = state;
    const agreement = word(index.agreement, row);
    const element = make("div", { class: "line", role: "option", id: `line-${at}`, "data-row": row, "aria-selected": String(at === state.at),
      "aria-setsize": state.found.length, "aria-posinset": at + 1 },
    make("span", {}, make("strong", {}, index.ids[row]), ` ${index.conclusions[row]}`),
    make("span", { class: "state" }, make("span", { class: agreement }, agreement)),
    make("small", {}, make("code", {}, index.formulas[row])),
    make("small", { class: "state" }, `${word(index.label, row)} · ${word(index.verdict, row)} · ${word(index.status, row)}`));
    element.style.top = `${at * LINE}px`;
    return element;
  }

  function reveal() {
    const list = $("list");
    const top = state.at * LINE;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + LINE > list.scrollTop + list.clientHeight) list.scrollTop = top + LINE - list.clientHeight;
  }

  function remember() {
    const wanted = settings();
    if (state.open !== null) wanted.row = state.index.ids[state.open];
    const pairs = Object.entries(wanted).filter(([, value]) => value !== "");
    history.replaceState(null, "", pairs.length ? `#${new URLSearchParams(pairs)}` : location.pathname + location.search);
  }

  async function show(row) {
    const turn = ++state.turn;
    state.open = row;
    paint();
    remember();
    const shown = await view(row);
    if (turn !== state.turn) return;
    const detail = $("detail");
    const close = make("button", { type: "button" }, "Close");
    close.addEventListener("click", hide);
    detail.replaceChildren(make("header", {}, make("h2", {}, `Row ${shown.record_id}`), close), rowElement(shown));
    detail.hidden = false;
    detail.scrollTop = 0;
    document.querySelector(".panes").classList.add("open");
    reveal();
    paint();
    if (matchMedia("(max-width: 50rem)").matches) detail.focus();
  }

  function hide() {
    state.turn += 1;
    state.open = null;
    $("detail").hidden = true;
    document.querySelector(".panes").classList.remove("open");
    remember();
    reveal();
    paint();
    $("list").focus();
  }

  function step(by) {
    if (state.found.length === 0) return;
    state.at = Math.min(Math.max(state.at + by, 0), state.found.length - 1);
    reveal();
    paint();
    if (state.open !== null) show(state.found[state.at]);
  }

  function select(name, title) {
    const column = state.index[name];
    const counts = new Array(column.words.length).fill(0);
    for (const value of column.values) for (const n of Array.isArray(value) ? value : [value]) counts[n] += 1;
    const order = column.words.map((w, n) => n).sort((a, b) => counts[b] - counts[a]);
    const options = order.map((n) => make("option", { value: column.words[n] }, `${column.words[n]} (${counts[n]})`));
    return make("select", { id: `f-${name}`, "aria-label": title }, make("option", { value: "" }, `any ${title}`), options);
  }

  /** What a link says. */
  function restore() {
    // Where a link on the page leads is no setting.
    if (location.hash && !location.hash.includes("=")) return state.index && state.settings === "" ? find() : undefined;
    const told = new URLSearchParams(location.hash.slice(1));
    $("search").value = told.get("q") ?? "";
    $("order").value = told.get("order") ?? "";
    $("proposals").checked = told.has("proposals");
    for (const [name] of FILTERS) $(`f-${name}`).value = told.get(name) ?? "";
    for (const [name] of FILTERS) if ($(`f-${name}`).selectedIndex < 0) $(`f-${name}`).value = "";
    const row = state.index.ids.indexOf(told.get("row"));
    state.open = row < 0 ? null : row;
    state.settings = JSON.stringify(settings());
    find();
    if (row >= 0) show(row);
  }

  let waiting = null;
  // Leaving the search tells of a change once more; to make the lines anew then would lose the click that left it.
  const changed = () => {
    const now = JSON.stringify(settings());
    if (now === state.settings) return;
    state.settings = now;
    find();
    remember();
  };
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(changed, 120); };

  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      else if (state.open !== null) hide();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inList = event.target === $("list");
    const keys = { "/": () => $("search").focus(), j: () => step(1), k: () => step(-1) };
    if (inList) {
      const page = Math.max(1, Math.floor($("list").clientHeight / LINE) - 1);
      Object.assign(keys, { ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(page), PageUp: () => step(-page),
        Home: () => step(-Infinity), End: () => step(state.found.length), Enter: () => state.at >= 0 && show(state.found[state.at]) });
    } else if (event.target === document.body) {
      keys.Enter = () => state.at >= 0 && show(state.found[state.at]);
    }
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  });

  unpack("index").then((index) => {
    state.index = index;
    $("selects").replaceChildren(...FILTERS.filter(([name]) => name !== "decision" || index.decision.words.length > 1).map(([name, title]) => select(name, title)));
    for (const [name] of FILTERS) if (!$(`f-${name}`)) $("selects").append(make("input", { type: "hidden", id: `f-${name}`, value: "" }));
    $("search").addEventListener("input", soon);
    $("filters").addEventListener("change", changed);
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    $("filters").addEventListener("reset", () => setTimeout(changed));
    $("list").addEventListener("scroll", paint, { passive: true });
    // By the place, not by the element: lines are made anew while they scroll, even between pressing and letting go.
    $("tall").addEventListener("click", (event) => {
      const at = Math.floor((event.clientY - $("tall").getBoundingClientRect().top) / LINE);
      if (at < 0 || at >= state.found.length) return;
      state.at = at;
      show(state.found[at]);
    });
    addEventListener("resize", paint);
    addEventListener("hashchange", restore);
    restore();
    document.body.dataset.ready = String(Math.round(performance.now()));
  }).catch((error) => { $("found").textContent = `the rows cannot be unpacked: ${error.message}`; });
})();
