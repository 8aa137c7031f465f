"use strict";
/** What a row looks like. Texts of the data become texts of elements, never markup. */
const refolio = (() => {
  function make(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(props ?? {})) {
      if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  const code = (text) => make("code", {}, text);

  /** Pieces of a change: what was taken out, put in, and stayed. */
  const change = (pieces) => make("code", {}, pieces.map(([tag, text]) =>
    tag === "=" ? text : make(tag === "-" ? "del" : "ins", {}, text)));

  const nameOf = (target) => {
    const index = /\[(\d+)\]/.exec(target);
    return target.startsWith("conclusion") ? "∴" : index ? index[1] : target;
  };

  function facts(view) {
    const fact = (name, ...values) => make("li", {}, make("span", {}, `${name} `), ...values);
    const tone = view.agreement === "agree" ? "good" : ["unlabelled", "unformalised"].includes(view.agreement) ? "" : "bad";
    const came = (now, before) => (now === before || before === null || before === undefined ? "" : ` (as it came: ${before})`);
    const out = [
      fact("label", make("strong", {}, view.label ?? view.label_original ?? "none"), came(view.label, view.label_original)),
      fact("verdict", make("strong", { class: tone }, view.verdict), came(view.verdict, view.verdict_original)),
      fact("agreement", view.agreement, came(view.agreement, view.agreement_original)),
      fact("status", view.status),
      fact("from", `${view.source[0]} row ${view.source[1]}, split ${view.split}`),
    ];
    if (view.story_id !== null) out.push(fact("story", view.story_id));
    if (view.example_id !== null && view.example_id !== view.record_id) out.push(fact("example", view.example_id));
    if (view.reason) out.push(fact("reason", view.reason));
    if (view.evidence) out.push(fact("rests on", view.evidence));
    if (view.szs.some(Boolean)) out.push(fact("SZS", view.szs.map((s) => s ?? "–").join(" / ")));
    if (view.signals.length) out.push(fact("signals", view.signals.join(", ")));
    if (view.review_score !== null) out.push(fact("review score", `${view.review_score.toFixed(2)}${view.review_reason ? `, ${view.review_reason}` : ""}`));
    if (view.proposed_label) out.push(fact("proved instead", view.proposed_label));
    if (view.model) out.push(fact("asked", view.model));
    if (view.decision) out.push(fact("decided", `${view.decision[0]} by ${view.decision[1].join(", ")}${view.decision[2] ? `: ${view.decision[2]}` : ""}`));
    return make("ul", { class: "facts" }, out);
  }

  function statements(view) {
    const line = (s) => make("tr", { class: s.used === false ? "unneeded" : null },
      make("th", { scope: "row" }, nameOf(s.target)),
      make("td", {}, s.sentence ?? ""),
      make("td", { "data-target": s.target }, s.diff.length ? change(s.diff) : s.formula === null ? make("span", { class: "dim" }, "no formula") : code(s.formula),
        s.used === false ? make("small", { class: "dim" }, " not needed") : ""));
    return make("table", { class: "pair" }, make("tbody", {}, view.statements.map(line)));
  }

  function edit(e) {
    const what = [e.target, `${e.rule}${e.name ? ` ${e.name}` : ""}`, e.kind, e.iteration ? `round ${e.iteration}` : "",
      e.asked_by ? `for record ${e.asked_by}` : ""].filter(Boolean).join(" · ");
    return make("div", { class: "edit" }, make("small", {}, what), make("div", {}, change(e.diff)),
      e.why ? make("div", { class: "dim" }, e.why) : "",
      e.alternatives.length ? make("div", { class: "dim" }, "possible instead: ", e.alternatives.map((text) => [code(text), " "])) : "");
  }

  const section = (title, open, ...content) => {
    const details = make("details", {}, make("summary", {}, title), ...content);
    details.open = open;
    return details;
  };

  /** What models were asked and said: whatever its shape, name by name. */
  function told(value) {
    if (Array.isArray(value)) return make("ol", {}, value.map((item) => make("li", {}, told(item))));
    if (value !== null && typeof value === "object") {
      return make("dl", {}, Object.entries(value).map(([name, item]) => make("div", {}, make("dt", { class: "dim" }, name.replaceAll("_", " ")), make("dd", {}, told(item)))));
    }
    return value === null ? "–" : String(value);
  }

  function account(html) {
    const box = make("div", {});
    // Escaped where it was made; the page's policy lets no script of it run.
    box.innerHTML = html;
    return box;
  }

  /** The element of a row. */
  function rowElement(view) {
    const out = [facts(view), statements(view)];
    if (view.edits.length) out.push(section(`Changes (${view.edits.length})`, true, view.edits.map(edit)));
    if (view.account) out.push(section("What the verdict rests on", true, account(view.account)));
    if (view.critique.length) out.push(section("What logic says", true, make("ul", {}, view.critique.map((s) => make("li", {}, s)))));
    if (view.presuppositions.length) {
      out.push(section("Taken for granted", false, make("ul", {}, view.presuppositions.map(([target, formula]) => make("li", {}, `${target}: `, code(formula))))));
    }
    if (view.proposals.length) {
      out.push(section(`Repairs put before the guards (${view.proposals.length})`, false, view.proposals.map((p) => make("div", {},
        make("span", { class: "tag" }, p.outcome), ` ${p.rung}${p.reason ? `, ${p.reason}` : ""}, cost ${p.cost.toFixed(2)}`, p.edits.map(edit)))));
    }
    if (view.agents !== null) out.push(section("What language models said", false, told(view.agents)));
    if (view.diagnostics.length) {
      out.push(section(`Findings (${view.diagnostics.length})`, view.diagnostics.some((d) => d.severity === "error"),
        view.diagnostics.map((d) => make("pre", { tabindex: "0", class: d.severity === "error" ? "bad" : null }, d.frame))));
    }
    if (view.symbols.length) {
      const head = ["symbol", "kind", "where", "gloss"].map((name) => make("th", { scope: "col" }, name));
      const rows = view.symbols.map(([name, kind, arity, where, gloss]) => make("tr", {}, make("th", { scope: "row" }, code(name)),
        make("td", {}, arity ? `${kind} of ${arity}` : kind), make("td", {}, where.join(", ")), make("td", {}, gloss ?? "–")));
      out.push(section(`Symbols (${view.symbols.length})`, false, make("div", { class: "scroll", tabindex: "0" },
        make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows)))));
    }
    return make("div", { class: "row-view" }, out);
  }

  return { rowElement, make };
})();
