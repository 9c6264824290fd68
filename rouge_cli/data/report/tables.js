// Sortable tables, on all pages that have some.

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
  table.querySelectorAll("th[aria-sort]").forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  const key = row => row.cells[column].innerText.trim(); // without the other correction's marks
  const number = text => parseFloat(text.replace("<", "-"));
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [one, two] = [number(key(a)), number(key(b))];
    const order = head.classList.contains("number") ? (one || 0) - (two || 0) : key(a).localeCompare(key(b));
    return isUp ? order : -order;
  });
  table.tBodies[0].append(...rows);
}

document.querySelectorAll("table.sortable").forEach(sortable);
