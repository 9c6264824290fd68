// Start: connect the controls, unpack the scores, and show the first panels.
async function start() {
  document.documentElement.classList.add("script");
  document.querySelectorAll("[data-copy]").forEach(button => button.addEventListener("click", () => copy(button)));
  document.querySelectorAll("details[open]").forEach(details => { if (details.closest(".panel")) details.open = false; });
  document.querySelectorAll("details.fold").forEach(section => {
    section.open = !isNarrow.matches;
    section.addEventListener("toggle", () => { if (section.open) { showPair(); showEvals(); } }); // pictures have the width of their box
  });
  document.querySelectorAll("a[href^='#']").forEach(link => link.addEventListener("click", event => {
    event.preventDefault(); // the address keeps what is shown
    const heading = $(link.hash.slice(1));
    reveal(heading);
    heading.setAttribute("tabindex", -1); heading.scrollIntoView(); heading.focus({ preventScroll: true });
  }));
  $("label").addEventListener("change", event => { state.label = Number(event.target.value); showPanels(); });
  document.querySelectorAll("input[name=figure]").forEach(input => input.addEventListener("change", () => {
    state.figure = figures.indexOf(input.value); showPanels();
  }));
  $("correction")?.addEventListener("change", event => { state.own = event.target.value === "own"; showPanels(); });
  for (const id of ["one", "two"]) $(id)?.addEventListener("change", event => {
    state[id] = Number(event.target.value); choosePair(state.one, state.two);
  });
  startEvals();
  startUnits();
  $("people")?.append(...data.pictures.map(picture));
  [scores, beginnings] = await Promise.all([unpack(data.scores).then(bytes => new Int32Array(bytes)), unpack(data.beginnings).then(asJson)]);
  for (const change of ["hashchange", "popstate"]) window.addEventListener(change, () => { if (isRead && (location.hash || "#") !== address()) follow(); });
  document.addEventListener("keydown", step);
  await follow();
  document.documentElement.dataset.ready = "true";
}
start();
})();
