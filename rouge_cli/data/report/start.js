// Start: connect the controls, unpack the scores, and show the first panels.
async function start() {
  document.documentElement.classList.add("script");
  document.querySelectorAll("table.sortable").forEach(sortable);
  document.querySelectorAll("[data-copy]").forEach(button => button.addEventListener("click", () => copy(button)));
  document.querySelectorAll("[data-pair]").forEach(button => button.addEventListener("click", () => {
    pair = button.dataset.pair.split(" ").map(Number);
    showPair();
  }));
  $("label").addEventListener("change", event => { state.label = Number(event.target.value); showPanels(); });
  document.querySelectorAll("input[name=figure]").forEach(input => input.addEventListener("change", () => {
    state.figure = figures.indexOf(input.value); showPanels();
  }));
  for (const id of ["one", "two"]) $(id)?.addEventListener("change", event => {
    state[id] = Number(event.target.value); view.predictions = null; showEvals(true); showEval();
  });
  startEvals();
  startUnits();
  if (data.best) [state.one, state.two] = data.best;
  scores = new Int32Array(await unpack(data.scores));
  showPanels();
  window.addEventListener("hashchange", follow);
  await follow();
  document.documentElement.dataset.ready = "true";
}
start();
})();
