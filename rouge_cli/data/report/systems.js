// Sortable tables, copy buttons, pairs of systems, and words that only one system matches.

function sortable(table) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    if (head.hasAttribute("data-fixed")) return;
    const button = make("button", { onclick: () => sort(table, head, column) });
    button.append(...head.childNodes);
    head.append(button);
  });
}

function sort(table, head, column) {
  const isUp = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending"
    : !head.classList.contains("number") || column === 0;
  table.querySelectorAll("th[aria-sort]").forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  const key = row => row.cells[column].textContent.trim();
  const number = text => parseFloat(text.replace("<", "-"));
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [one, two] = [number(key(a)), number(key(b))];
    const order = head.classList.contains("number") ? (one || 0) - (two || 0) : key(a).localeCompare(key(b));
    return isUp ? order : -order;
  });
  table.tBodies[0].append(...rows);
}

async function copy(button) {
  const name = button.dataset.copy, text = name in data.copies ? data.copies[name] : $(name).textContent;
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

// Show the panels of the selected label and measure.
function showPanels() {
  document.querySelectorAll(".panel").forEach(panel => {
    panel.hidden = Number(panel.dataset.place) !== state.label || panel.dataset.figure !== figures[state.figure];
  });
  $("label").value = state.label;
  document.querySelectorAll("input[name=figure]").forEach(input => { input.checked = input.value === figures[state.figure]; });
  showPair(); showEvals(true); showEval();
}

let pair = null;
function showPair() {
  const place = $("pair");
  if (!place) return;
  document.querySelectorAll("[data-pair]").forEach(button =>
    button.setAttribute("aria-pressed", String(pair !== null && button.dataset.pair === pair.join(" "))));
  place.hidden = pair === null;
  if (pair === null) return;
  const [one, two] = pair, values = [];
  for (let number = 0; number < evals.length; number++) values.push(score(one, number) - score(two, number));
  const better = values.filter(value => value > 0).length, worse = values.filter(value => value < 0).length;
  const found = data.comparisons[figures[state.figure]].pairs.find(other => other.metric === columnName()
    && [[one, two], [two, one]].some(([a, b]) => samePair(other, a, b)));
  const sign = samePair(found, one, two) ? 1 : -1;
  const ends = found.low === null ? "" : ` [${[sign * found.low, sign * found.high].sort((a, b) => a - b).map(end => shown(end, true)).join(", ")}]`;
  place.replaceChildren(
    make("h3", {}, make("bdi", {}, systems[one]), " minus ", make("bdi", {}, systems[two]), `, ${columnName()}`),
    make("p", {}, `Difference ${shown(sign * found.difference, true)}${ends}; p ${found.randomization.toPrecision(3)}, corrected ${found.randomization_corrected.toPrecision(3)}. `
      + (found.effect === null ? "" : `Effect size d ${(sign * found.effect).toFixed(2)}. `)
      + `Higher in ${better} evals, lower in ${worse}, equal in ${found.evals - better - worse}.`),
    histogram(values, { width: plotWidth(), labels: { title: "Differences of single evals", x: "difference of single evals", signed: true } }),
    make("p", {}, make("button", { onclick: () => { state.one = one; state.two = two; showPanels(); $("evals").scrollIntoView(); } }, "Look at the evals")));
}

// Documents from Python have full names of systems, the page has shortened names; indices identify both.
const samePair = (found, one, two) => found.places[0] === one && found.places[1] === two;

function showUnits() {
  const live = $("units-live");
  if (!live) return;
  const label = $("units-label").value, one = Number($("units-one").value), two = Number($("units-two").value);
  const found = data.gains.find(gain => gain.label === label && gain.system === one && gain.other === two);
  const list = make("ol");
  for (const [unit, times, places] of found ? found.units : []) {
    list.append(make("li", {}, make("b", { dir: "auto" }, unit), ` ${times}\u00d7 in `,
      ...places.slice(0, 8).map(place => make("a", { href: `#eval=${encodeURIComponent(evals[place])}`, onclick: () => { state.one = one; state.two = two; } }, evals[place])),
      places.length > 8 ? ` and ${places.length - 8} more` : ""));
  }
  live.replaceChildren(found ? list : make("p", { class: "note" }, "Nothing."));
}

function startUnits() {
  if (!$("units-live")) return;
  const fill = (id, options) => $(id).append(...options.map(([value, name]) => make("option", { value }, name)));
  fill("units-label", [...new Set(data.gains.map(gain => gain.label))].map(label => [label, label]));
  const able = [...new Set(data.gains.flatMap(gain => [gain.system, gain.other]))];
  for (const id of ["units-one", "units-two"]) {
    fill(id, able.map(place => [place, systems[place]]));
    $(id).addEventListener("change", showUnits);
  }
  $("units-label").addEventListener("change", showUnits);
  if (data.gains.some(gain => gain.label === "ROUGE-2")) $("units-label").value = "ROUGE-2";
  $("units-one").value = data.gains[0].system; $("units-two").value = data.gains[0].other;
  $("units-static").hidden = true; $("units-live").hidden = false;
  showUnits();
}
