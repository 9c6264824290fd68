// Copy buttons, pairs of systems, and words that only one system matches.

async function copy(button) {
  const kind = button.dataset.copy, name = kind === "latex" ? `latex ${state.own ? columnName() : figures[state.figure]}` : kind;
  const text = data.copies[name] || data.copies[kind] || $(kind).textContent;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // pages from a disk may not have a clipboard
    const area = make("textarea", { readonly: true });
    area.value = text;
    document.body.append(area); area.select(); document.execCommand("copy"); area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}

// Show the panels of the selected label and measure; if a metric has no such measure, of F or another.
function showPanels() {
  const has = figure => data.columns.includes(`${data.labels[state.label]} ${figures[figure]}`);
  if (!has(state.figure)) state.figure = [2, 0, 1].find(has);
  document.documentElement.classList.toggle("alone", state.own);
  document.querySelectorAll(".panel").forEach(({ dataset: { place, figure } }, number, panels) => {
    panels[number].hidden = (place !== undefined && Number(place) !== state.label) || figure !== figures[state.figure];
  });
  document.querySelectorAll(`table.ranking th[data-label="${state.label}"]`).forEach(head => {
    const table = head.closest("table");
    if (Number(table.dataset.label ?? data.first[0]) === state.label) return; // its order is this metric's
    sortTo(table, head, head.cellIndex, false);
    table.dataset.label = state.label;
  });
  $("label").value = state.label;
  if ($("correction")) $("correction").value = state.own ? "own" : "all";
  document.querySelectorAll("input[name=figure]").forEach(input => {
    input.checked = input.value === figures[state.figure];
    input.disabled = !has(figures.indexOf(input.value));
  });
  if ($("units-label") && [...$("units-label").options].some(option => option.value === data.labels[state.label])) $("units-label").value = data.labels[state.label];
  showMatrix(); showPair(); showUnits(); showEvals(true); showEval(); keep();
}

// Choose two systems, everywhere on the page.
function choosePair(one, two, isOpen = state.pair) {
  state.one = one; state.two = two; state.pair = isOpen; view.predictions = null;
  showPanels();
}

// The compared pairs by the selected metric, with the p-values of the selected correction.
function comparedPairs() {
  const compared = data.comparisons[figures[state.figure]], alone = data.alone[columnName()];
  const pairs = compared ? compared.pairs.filter(other => other.metric === columnName()) : [];
  return pairs.map((other, number) => state.own
    ? { ...other, randomization_corrected: alone[number][0], bootstrap_corrected: alone[number][1] } : other);
}

// The matrix of differences, row minus column, in the order of the ranking.
function showMatrix() {
  const box = $("matrix");
  if (!box) return;
  const pairs = comparedPairs(), level = data.comparisons[figures[state.figure]]?.level;
  let order = [...new Set(pairs.flatMap(other => other.places))];
  const baseline = data.comparisons[figures[state.figure]]?.baseline;
  if (baseline && pairs.length) { // its place is before the first system that is worse
    const own = pairs[0].places[1], worse = pairs.findIndex(other => other.difference < 0);
    order = pairs.map(other => other.places[0]);
    order.splice(worse < 0 ? order.length : worse, 0, own);
  }
  box.hidden = order.length < 2 || order.length > 24 || systems.length > 24;
  if (box.hidden) return;
  const cells = new Map();
  for (const other of pairs) {
    const [one, two] = other.places, isApart = other.randomization_corrected < level;
    for (const [key, sign] of [[[one, two], 1], [[two, one], -1]]) {
      const value = 100 * sign * other.difference, kind = isApart ? (value > 0 ? "better" : "worse") : "same";
      cells.set(key.join(" "), make("td", { class: kind }, make("button", { "data-pair": key.join(" "), title: `p ${probability(other.randomization_corrected)}`,
        onclick: () => choosePair(...key, true) }, `${{ better: "\u25b2", worse: "\u25bc", same: "" }[kind]}${shown(value, true, 1)}`)));
    }
  }
  const heads = order.map(system => make("th", { scope: "col" }, make("span", {}, named(systems[system]))));
  const rows = order.map(system => make("tr", {}, make("th", { scope: "row" }, named(systems[system])),
    ...order.map(other => cells.get(`${system} ${other}`) || make("td", { class: "none" }))));
  box.replaceChildren(make("table", { class: "matrix" }, make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...rows)));
}

const probability = p => p < .0001 ? "<0.0001" : p.toFixed(4);

function showPair() {
  const place = $("pair");
  if (!place) return;
  const { one, two } = state, values = evals.map((_, number) => difference(number));
  document.querySelectorAll("[data-pair]").forEach(button =>
    button.setAttribute("aria-pressed", String(state.pair && button.dataset.pair === `${one} ${two}`)));
  const isPair = other => other.places.includes(one) && other.places.includes(two) && one !== two;
  const found = comparedPairs().find(isPair);
  place.hidden = !state.pair || !found;
  if (place.hidden) return;
  const better = values.filter(value => value > 0).length, worse = values.filter(value => value < 0).length;
  const sign = found.places[0] === one ? 1 : -1;
  const ends = found.low === null ? "" : ` [${[sign * found.low, sign * found.high].sort((a, b) => a - b).map(end => shown(end, true)).join(", ")}]`;
  place.replaceChildren(
    make("h3", {}, named(systems[one]), " minus ", named(systems[two]), `, ${columnName()}`),
    make("p", {}, `Difference ${shown(sign * found.difference, true)}${ends}; p ${probability(found.randomization)}, corrected over `
      + `${state.own ? data.alone[columnName()].length : data.comparisons[figures[state.figure]].pairs.length} comparisons ${probability(found.randomization_corrected)}. `
      + (found.reordered === null ? "" : `Order reversed by ${(100 * found.reordered).toFixed(1)}% of draws of references. `)
      + (found.effect === null ? "" : `Effect size d ${shown(sign * found.effect, false, 2)}. `)
      + `Higher in ${better} evals, lower in ${worse}, equal in ${found.evals - better - worse}.`),
    histogram(values, { width: plotWidth(), labels: { title: "Differences of single evals", x: "difference of single evals", signed: true } }),
    make("p", {}, make("button", { onclick: () => { reveal($("evals")); $("evals").scrollIntoView(); } }, "Look at the evals")));
}

const MOST_UNITS = 12;
function showUnits() {
  const live = $("units-live");
  if (!live) return;
  const { one, two } = state, label = $("units-label").value;
  $("units-one").value = one; $("units-two").value = two; $("stop").checked = state.stop;
  const found = data.gains.find(gain => gain.label === label && gain.system === one && gain.other === two);
  const units = (found ? found.units : []).filter(unit => state.stop || !unit[3]).sort((a, b) => b[1] - a[1]).slice(0, MOST_UNITS);
  const list = make("ol");
  for (const [unit, times, places] of units) {
    list.append(make("li", {}, make("b", { dir: "auto" }, unit), ` ${times}\u00d7 in `,
      ...places.slice(0, 8).map(place => make("a", { href: `#eval=${encodeURIComponent(evals[place])}`, onclick: event => { event.preventDefault(); open(place); } }, named(evals[place]))),
      places.length > 8 ? ` and ${places.length - 8} more` : ""));
  }
  live.replaceChildren(units.length ? list : make("p", { class: "note" }, "Nothing."));
}

function startUnits() {
  if (!$("units-live")) return;
  const fill = (id, options) => $(id).append(...options.map(([value, name]) => make("option", { value }, name)));
  fill("units-label", [...new Set(data.gains.map(gain => gain.label))].map(label => [label, label]));
  for (const [id, choose] of [["units-one", value => choosePair(value, state.two)], ["units-two", value => choosePair(state.one, value)]]) {
    fill(id, systems.map((name, place) => [place, name]));
    $(id).addEventListener("change", event => choose(Number(event.target.value)));
  }
  $("units-label").addEventListener("change", showUnits);
  $("stop").addEventListener("change", event => { state.stop = event.target.checked; showUnits(); keep(); });
  $("units-static").hidden = true; $("units-live").hidden = false;
}
