// Tables and code that are wider than the page scroll by themselves. The keyboard can scroll them, too, if
// they can have the focus; those that fit stay out of its way.
const offerKeys = (box) => {
  if (box.scrollWidth <= box.clientWidth) {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    return;
  }
  box.tabIndex = 0;
  if (box.matches("code")) return; // its text is its name
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Table, scrolls sideways");
};
const boxes = new ResizeObserver((entries) => entries.forEach((entry) => offerKeys(entry.target)));
// The theme wraps tables in boxes when it starts, which is after this script.
addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) boxes.observe(box);
});
// The theme puts the buttons of a block into a navigation, which is not one.
new MutationObserver(() => {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "presentation");
}).observe(document.documentElement, { childList: true, subtree: true });
