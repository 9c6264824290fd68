// The address keeps what is shown, so that a link shows what its sender saw. What it leaves out is as at first.

const usual = { ...state };

function address() {
  const parts = new URLSearchParams(), { label, figure, one, two } = state;
  const put = (name, value, isNew) => { if (isNew) parts.set(name, value); };
  put("metric", data.labels[label], label !== usual.label);
  put("measure", figures[figure], figure !== usual.figure);
  put("one", systems[one], one !== usual.one);
  put("two", systems[two], two !== usual.two);
  for (const name of ["pair", "own", "stop"]) put(name, 1, state[name]);
  put("order", $("order").value, $("order").value !== "difference");
  put("reverse", 1, $("reverse").checked);
  put("find", $("search").value, $("search").value);
  put("brush", scatter.chosen?.map(end => end.toFixed(4)), scatter.chosen);
  put("range", list.range, list.range);
  put("eval", evals[view.place], view.place !== null);
  return `#${parts}`;
}

let isRead = false; // false while the address is being read
// Write the address; a new entry of the browser's history if `isStep`.
function keep(isStep = false) {
  const link = address();
  if (!isRead || link === (location.hash || "#")) return;
  try { history[isStep ? "pushState" : "replaceState"](null, "", link); } catch { /* in a frame of a notebook */ }
}

// Show what the address names.
async function follow() {
  isRead = false;
  await read();
  isRead = true;
}

async function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const index = (names, name, other) => names.includes(parts.get(name)) ? names.indexOf(parts.get(name)) : other;
  state.label = index(data.labels, "metric", usual.label);
  state.figure = index(figures, "measure", usual.figure);
  state.one = index(systems, "one", usual.one);
  state.two = index(systems, "two", usual.two);
  for (const name of ["pair", "own", "stop"]) state[name] = parts.has(name);
  const order = parts.get("order") || "difference";
  $("order").value = order in keys ? order : "difference";
  $("reverse").checked = parts.has("reverse");
  const wanted = parts.get("find") || "", isOther = wanted !== $("search").value;
  $("search").value = wanted;
  const numbers = (name, count) => { const found = (parts.get(name) || "").split(",").map(Number); return found.length === count && !found.some(Number.isNaN) ? found : null; };
  showPanels();
  scatter.chosen = numbers("brush", 4);
  list.range = numbers("range", 2);
  if (isOther) await search(wanted); else showEvals();
  if (!parts.has("eval")) { view.place = null; $("eval").hidden = true; return; }
  const place = evals.indexOf(parts.get("eval"));
  if (place < 0) { $("chosen").textContent = `no eval ${parts.get("eval")}`; return; }
  if (place !== view.place) await show(place);
}
