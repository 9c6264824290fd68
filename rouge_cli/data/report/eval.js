// One eval: texts side by side, matches, and arithmetic.

const view = { place: null, predictions: null, active: null, reference: 0, label: null, unfolded: null };

// Open an eval: a step of the browser's history.
async function open(place) {
  view.place = place;
  keep(true);
  await show(place);
}

async function show(place) {
  Object.assign(view, { place, predictions: null, active: null, reference: 0 });
  await showEval();
  reveal($("eval"));
  $("eval").scrollIntoView({ block: "start" });
  $("eval").querySelector("h3").focus({ preventScroll: true });
}

// Open the eval after or before the open one in the list, if there is one.
function go(by) {
  const at = list.places.indexOf(view.place), number = at < 0 ? Math.max(0, list.active) : at + by;
  if (list.places[number] === undefined) return;
  move(number);
  open(list.places[number]);
}

// j and k go through the evals; arrows too, if an eval is open and no control or text that scrolls has the focus.
function step(event) {
  const isFree = !event.target.closest("input, select, textarea, canvas, #list, .wide, .text");
  const by = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
  const isLetter = event.key.length === 1;
  if (isLetter ? event.target.closest("input[type=search], select, textarea") : !isFree || view.place === null) return;
  event.preventDefault();
  go(by);
}

async function showEval() {
  const box = $("eval");
  if (view.place === null) return;
  const place = view.place, texts = await textsOf(place);
  if (place !== view.place) return;
  box.hidden = false;
  const heading = make("h3", { tabindex: -1 }, "Eval ", named(evals[place]));
  const number = list.places.indexOf(place);
  const button = by => list.places[number + by] !== undefined && number >= 0
    ? [make("button", { onclick: () => go(by) }, by < 0 ? "\u2190 previous" : "next \u2192")] : [];
  const bar = make("div", { class: "switch local" }, ...button(-1), ...button(1));
  if (!texts) {
    box.replaceChildren(heading, bar, make("p", { class: "note" }, "This page does not contain the texts of this eval; make it with a larger --texts MB or --evals N."), scoreLines(place));
    return;
  }
  const able = Object.keys(texts.predictions).map(Number);
  if (!view.predictions) view.predictions = [...new Set([state.one, state.two])].filter(prediction => able.includes(prediction));
  if (!view.predictions.length) view.predictions = able.slice(0, 1);
  if (!view.predictions.includes(view.active)) view.active = view.predictions[0];
  const labels = Object.keys(texts.predictions[view.active].why || {});
  if (!labels.includes(view.label)) view.label = labels.includes(data.labels[state.label]) ? data.labels[state.label] : labels[0];
  if (labels.length) bar.append(choices("Matches of", labels.map(label => [label, label === view.label, () => { view.label = label; showEval(); }])));
  const references = texts.references[texts.predictions[view.active].set];
  if (view.reference >= references.length) view.reference = 0;
  if (references.length > 1) bar.append(choices("Reference", references.map((reference, index) =>
    [reference.id, index === view.reference, () => { view.reference = index; showEval(); }])));
  bar.append(choices("Systems", able.map(prediction => [systems[prediction], view.predictions.includes(prediction), () => {
    view.predictions = view.predictions.includes(prediction) ? view.predictions.filter(other => other !== prediction) : [...view.predictions, prediction];
    if (!view.predictions.length) view.predictions = [prediction];
    showEval();
  }])));
  const why = (texts.predictions[view.active].why || {})[view.label];
  const pairOf = prediction => ((texts.predictions[prediction].why || {})[view.label] || { pairs: [] }).pairs[view.reference];
  const sides = make("div", { class: "sides" });
  if (texts.source) sides.append(sourceSide(texts.source, texts.predictions[view.active]));
  const reference = side(`Reference ${references[view.reference].id}`, "reference", references[view.reference], why && why.pairs[view.reference] && why.pairs[view.reference].reference);
  if (why) reference.querySelector("h4").after(make("div", { class: "note" }, "what ", named(systems[view.active]), " matches",
    texts.references.length > 1 ? " (references differ by system)" : ""));
  if (texts.source) sides.querySelector(".source h4").after(make("div", { class: "note" }, "what ", named(systems[view.active]), " copies"));
  sides.append(reference);
  for (const prediction of view.predictions) {
    const pair = pairOf(prediction), isActive = prediction === view.active;
    const part = side(systems[prediction], `prediction${isActive ? " chosen" : ""}`, texts.predictions[prediction], pair && pair.prediction);
    part.dataset.prediction = prediction;
    if (texts.source) markNovel(part, texts.source);
    const label = labels.length ? data.labels.indexOf(view.label) : state.label;
    const figuresOf = figures.map((figure, index) => `${figure} ${shown(score(prediction, place, label, index))}`).join("  ");
    part.querySelector("h4").after(make("div", { class: "note" }, `${data.labels[label]}: ${figuresOf}`));
    if (pair) part.append(arithmetic(texts.predictions[prediction].why[view.label], pair, references), ...elsewhere(texts.predictions[prediction]));
    if (pair && !isActive) part.append(make("button", { class: "copy", onclick: () => { view.active = prediction; showEval(); } }, "Mark the reference by this system"));
    sides.append(part);
  }
  box.replaceChildren(heading, bar, legend(labels.length, texts.source), ...path(references, why), sides, scoreLines(place));
  light(sides, texts);
}

function choices(title, options) {
  const chips = make("span", { class: "chips", role: "group", "aria-label": title });
  for (const [name, isOn, choose] of options)
    chips.append(make("button", { "aria-pressed": String(isOn), onclick: choose }, named(name)));
  if (!isNarrow.matches || options.length < 5)
    return make("span", { class: "switch local" }, make("span", { class: "note" }, title), chips);
  const folded = make("details", { open: view.unfolded === title }, make("summary", { class: "note" }, `${title}: ${options.filter(([, isOn]) => isOn).length} of ${options.length}`), chips);
  folded.addEventListener("toggle", () => { view.unfolded = folded.open ? title : null; });
  return folded;
}

function legend(isMarked, source) {
  const word = (kind, text) => make("span", { class: `t ${kind}` }, text);
  const ofSource = source ? [" In the source: ", make("mark", { class: "copied" }, `copied, ${LEAST} words in a row or more`), "; in predictions: ", word("novel", "not in the source"), "."] : [];
  if (!isMarked) return make("p", { class: "note" }, "Words are not marked with this dialect or these options.", ...ofSource);
  return make("p", { class: "note" }, word("c", "matched and counted"), " ", word("x", "clipped: more often than in the other text"), " ",
    word("d", "dropped"), " unmatched. Point at a word to see it on both sides.", ...ofSource);
}

// A text with marked words; `marks` has a letter for each token.
function side(title, kind, text, marks) {
  const scrolls = kind === "source" ? { tabindex: 0, role: "region", "aria-label": title } : {};
  const box = make("div", { class: "text", dir: "auto", ...scrolls });
  let token = 0;
  for (const sentence of text.s) {
    const line = make("p", { dir: "auto" });
    sentence.forEach((piece, index) => {
      if (index % 2 === 0) { line.append(piece); return; }
      const mark = marks ? marks[token] : ".", form = text.f ? text.f[token] : -1;
      line.append(make("span", { class: mark === "." ? "t" : `t ${mark}`, "data-token": token, "data-form": form }, piece));
      token++;
    });
    box.append(line);
  }
  if (!text.s.length) box.append(make("p", { class: "note" }, "(empty)"));
  return make("div", { class: `side ${kind}` }, make("h4", {}, make("bdi", {}, title)), box);
}

// Highlight the words of all n-grams that contain the word under the pointer, in every text.
function light(sides, texts) {
  const size = Number((/^rouge-?([2-9])(?!\d)/i.exec(view.label || "") || [0, 1])[1]);
  const off = () => sides.querySelectorAll(".lit").forEach(word => word.classList.remove("lit"));
  const kept = box => [...box.querySelectorAll("[data-form]")].filter(word => word.dataset.form !== "-1");
  sides.addEventListener("pointerover", event => {
    const word = event.target.closest("[data-form]");
    off();
    if (!word || word.dataset.form === "-1") return;
    const words = kept(word.closest(".side")), at = words.indexOf(word), wanted = new Set();
    for (let start = Math.max(0, at - size + 1); start <= at && start + size <= words.length; start++)
      wanted.add(words.slice(start, start + size).map(other => other.dataset.form).join(" "));
    for (const box of sides.querySelectorAll(".side:not(.source)")) {
      const others = kept(box);
      for (let start = 0; start + size <= others.length; start++) {
        const group = others.slice(start, start + size);
        if (wanted.has(group.map(other => other.dataset.form).join(" ")) && (size === 1 || box === word.closest(".side") || group.some(other => /[cx]/.test(other.className))))
          group.forEach(other => other.classList.add("lit"));
      }
    }
  });
  sides.addEventListener("pointerleave", off);
}

// The words of the longest common subsequences, for ROUGE-L and ROUGE-W in every dialect's spelling.
function path(references, why) {
  if (!why || !/^rouge[-_]?[lw]/i.test(view.label) || !why.pairs[view.reference]) return [];
  const marks = why.pairs[view.reference].reference, words = [];
  let token = 0;
  for (const sentence of references[view.reference].s)
    sentence.forEach((piece, index) => { if (index % 2) { if (/[cx]/.test(marks[token])) words.push(piece); token++; } });
  return [make("p", { id: "lcs" }, make("span", { class: "note" }, "Path of the longest common subsequences: "),
    make("bdi", { dir: "auto" }, words.join(" \u2192 ") || "no word"))];
}

function arithmetic(why, pair, references) {
  const lines = make("ol", { class: "steps", "aria-label": "From counts to scores" });
  const [reference, prediction, match] = pair.counts;
  lines.append(make("li", {}, `${references.length > 1 ? `with ${references[view.reference].id}: ` : ""}reference ${reference}, prediction ${prediction}, match ${match}`));
  for (const step of [...pair.steps, ...why.steps]) lines.append(make("li", {}, step));
  return lines;
}

// F in other dialects, computed by Python.
function elsewhere(prediction) {
  const others = (prediction.elsewhere || {})[view.label] || [];
  if (!others.length) return [];
  return [make("p", { class: "note" }, `F in other dialects, set up as similarly as possible: ${others.map(([dialect, f]) => `${shown(f)} (${dialect})`).join(", ")}. `,
    make("code", {}, "rouge-cli explain --dialects"), " shows why they differ.")];
}

// The scores of all systems in this eval by the selected metric.
function scoreLines(place) {
  const rows = systems.map((name, system) => [name, ...figures.map((_, index) => score(system, place, state.label, index))])
    .filter(row => !Number.isNaN(row[1])).sort((a, b) => b[state.figure + 1] - a[state.figure + 1]);
  const table = make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, `${data.labels[state.label]} in this eval`),
    ...figures.map(figure => make("th", { scope: "col", class: "number" }, figure)))));
  table.append(make("tbody", {}, ...rows.map(([name, ...values]) => make("tr", {}, make("th", { scope: "row" }, named(name)),
    ...values.map(value => make("td", { class: "number" }, shown(value)))))));
  const box = make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "All systems in this eval" }, table);
  return make("details", {}, make("summary", {}, "All systems in this eval"), box);
}
