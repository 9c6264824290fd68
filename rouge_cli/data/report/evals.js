// The list of evals: filtered and ordered; only the visible rows are drawn.

// On narrow screens a row has two lines.
const isNarrow = matchMedia("(max-width: 40rem)");
let ROW = 30;
const list = { places: [], active: -1, found: null, range: null };

// Keys of the list's orders; the highest comes first.
const keys = {
  difference: place => Math.abs(difference(place)),
  one: place => score(state.one, place),
  two: place => score(state.two, place),
  length: place => data.lengths[place],
  place: place => -place,
};

function showEvals(isNew = false) {
  const two = systems.length > 1;
  $("one").value = state.one;
  if (two) $("two").value = state.two;
  const known = place => !Number.isNaN(score(state.one, place)) || !Number.isNaN(score(state.two, place));
  let places = evals.map((_, place) => place).filter(known);
  if (isNew) { scatter.chosen = scatter.cross = null; list.range = null; }
  places = places.filter(place => scatter.has(place) && (!list.found || list.found.has(place))
    && (!list.range || (value => value >= list.range[0] && value < list.range[1])(two ? difference(place) : score(state.one, place))));
  const key = Float64Array.from(evals, (_, place) => keys[$("order").value](place) || 0);
  places.sort((a, b) => key[b] - key[a] || a - b);
  if ($("reverse").checked) places.reverse();
  const active = list.places[list.active];
  list.places = places; list.active = places.indexOf(active);
  $("chosen").textContent = `${places.length} of ${evals.length} evals`;
  $("all").hidden = !(scatter.chosen || list.range || list.found);
  $("head-one").textContent = systems[state.one];
  $("head-two").textContent = two ? systems[state.two] : "";
  $("scatter-figure").hidden = !two;
  if (two) {
    $("scatter-figure").firstElementChild.textContent = `${columnName()}: one dot per eval. Drag, or hold Shift with the arrow keys, to choose evals.`;
    scatter.draw(places);
  }
  const values = evals.map((_, place) => two ? difference(place) : score(state.one, place));
  const title = two ? `${systems[state.one]} minus ${systems[state.two]}` : systems[state.one];
  $("histogram-figure").firstElementChild.textContent = `${title}, ${columnName()}. Choose a bar to see its evals.`;
  $("histogram").replaceChildren(histogram(values, { width: plotWidth(), labels: { title, x: two ? "difference" : "score", signed: two },
    choose: (low, high) => { list.range = [low, high]; showEvals(); } }));
  if (isNew) $("list").scrollTop = 0;
  showRows();
  if (!isNew) keep();
}

function showRows() {
  ROW = isNarrow.matches ? 48 : 30;
  const box = $("list"), first = Math.max(0, Math.floor(box.scrollTop / ROW) - 5);
  const last = Math.min(list.places.length, first + Math.ceil((box.clientHeight || 320) / ROW) + 10);
  const room = make("div", { class: "room", role: "presentation" });
  box.style.height = `${Math.max(2, list.places.length) * ROW + 2}px`;
  room.style.height = `${list.places.length * ROW}px`;
  const rows = [];
  for (let number = first; number < last; number++) {
    const place = list.places[number], two = systems.length > 1;
    const row = make("div", { role: "option", id: `row-${place}`, class: seatOfText.has(place) ? "texts" : null,
      "aria-selected": String(number === list.active), "aria-posinset": number + 1, "aria-setsize": list.places.length,
      onclick: () => { list.active = number; showRows(); open(place); } },
      make("span", {}, make("bdi", {}, evals[place])), make("span", { class: "start", dir: "auto" }, beginnings[place]), make("span", {}, shown(score(state.one, place))),
      make("span", {}, two ? shown(score(state.two, place)) : ""), make("span", {}, two ? shown(difference(place), true) : ""),
      make("span", {}, String(data.lengths[place])));
    row.style.top = `${number * ROW}px`; row.style.height = `${ROW}px`;
    rows.push(row);
  }
  box.replaceChildren(room, ...rows);
  const active = list.places[list.active];
  if (active !== undefined && $(`row-${active}`)) box.setAttribute("aria-activedescendant", `row-${active}`);
  else box.removeAttribute("aria-activedescendant");
}

function move(number) {
  const box = $("list");
  list.active = Math.max(0, Math.min(list.places.length - 1, number));
  const top = list.active * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
  showRows();
}

async function search(words) {
  if (!words.trim()) { list.found = null; return showEvals(); }
  const wanted = words.toLowerCase(), found = new Set();
  evals.forEach((name, place) => { if (name.toLowerCase().includes(wanted)) found.add(place); });
  evals.forEach((_, place) => { if (beginnings[place].toLowerCase().includes(wanted)) found.add(place); });
  for (const place of data.texts.flat()) {
    const texts = await textsOf(place);
    if ($("search").value !== words) return;
    if (!texts.words) texts.words = [...texts.references.flat(), ...Object.values(texts.predictions), { s: texts.source || [] }]
      .map(plainText).join("\n").toLowerCase();
    if (texts.words.includes(wanted)) found.add(place);
  }
  list.found = found;
  showEvals();
}

function startEvals() {
  const box = $("list");
  box.addEventListener("scroll", () => requestAnimationFrame(showRows));
  box.addEventListener("keydown", event => {
    const page = Math.floor(box.clientHeight / ROW);
    const to = { ArrowDown: list.active + 1, ArrowUp: list.active - 1, PageDown: list.active + page,
      PageUp: list.active - page, Home: 0, End: list.places.length - 1 }[event.key];
    if (to !== undefined) { event.preventDefault(); move(to); }
    if (event.key === "Enter" && list.active >= 0) open(list.places[list.active]);
  });
  for (const id of ["order", "reverse"]) $(id).addEventListener("change", () => { $("list").scrollTop = 0; showEvals(); });
  $("search").addEventListener("input", () => search($("search").value));
  $("all").addEventListener("click", () => { $("search").value = ""; list.found = null; showEvals(true); });
  const canvas = $("scatter");
  canvas.addEventListener("pointerdown", event => { const [x, y] = scatter.back(event); scatter.drag = [x, y, x, y]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", event => {
    if (scatter.drag) { scatter.drag.splice(2, 2, ...scatter.back(event)); requestAnimationFrame(() => scatter.draw(list.places)); }
  });
  canvas.addEventListener("pointerup", () => {
    if (!scatter.drag) return;
    const [x0, y0, x1, y1] = scatter.drag;
    scatter.chosen = Math.abs(x1 - x0) + Math.abs(y1 - y0) > scatter.most / 50 ? scatter.drag : null;
    scatter.drag = null; scatter.cross = [x1, y1];
    showEvals();
  });
  canvas.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) { event.preventDefault(); scatter.move(step, event.shiftKey); }
    else if (event.key === "Escape") scatter.chosen = null;
    else return;
    showEvals();
    if (step) $("chosen").textContent += `; cross at ${scatter.cross.map(value => shown(value)).join(" and ")}`;
  });
  for (const change of ["focus", "blur"]) canvas.addEventListener(change, () => scatter.draw(list.places));
  window.addEventListener("resize", () => showEvals());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showEvals());
}
