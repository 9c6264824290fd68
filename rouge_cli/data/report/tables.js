// Sortable tables, and tables that scroll sideways and say so, on all pages that have some.

function sortable(table) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    if (head.hasAttribute("data-fixed")) return;
    const button = document.createElement("button");
    button.addEventListener("click", () => sort(table, head, column));
    button.append(...head.childNodes);
    head.append(button);
  });
}

function sort(table, head, column) {
  const isUp = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending"
    : !head.classList.contains("number") || column === 0;
  sortTo(table, head, column, isUp);
}

function sortTo(table, head, column, isUp) {
  table.querySelectorAll("th[aria-sort]").forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  const key = row => row.cells[column].dataset.value ?? row.cells[column].innerText.trim(); // without what is hidden
  const number = text => parseFloat(text.replace("<", "-"));
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [one, two] = [number(key(a)), number(key(b))];
    const order = head.classList.contains("number") ? (one || 0) - (two || 0) : key(a).localeCompare(key(b));
    return isUp ? order : -order;
  });
  table.tBodies[0].append(...rows);
}

document.querySelectorAll("table.sortable").forEach(sortable);

// A box that is wider than the screen says that it scrolls.
const watcher = new ResizeObserver(entries => {
  for (const { target } of entries) {
    const box = target.closest(".wide");
    box.classList.toggle("scrolls", box.scrollWidth > box.clientWidth + 1);
  }
});
document.querySelectorAll(".wide").forEach(box => {
  watcher.observe(box);
  if (box.firstElementChild) watcher.observe(box.firstElementChild);
});
