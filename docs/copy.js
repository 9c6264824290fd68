// The copy button of a console block copies its commands, without prompts and output. The theme's own handler
// takes the text of this attribute if there is one.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".md-clipboard, .md-code__button[data-md-type=copy]");
  const code = button?.closest(".highlight, .language-console")?.querySelector("code");
  if (!code?.querySelector(".gp")) return;
  const commands = code.cloneNode(true);
  for (const other of commands.querySelectorAll(".gp, .go")) other.remove();
  const lines = commands.textContent.split("\n").filter((line) => line.trim());
  button.dataset.clipboardText = lines.join("\n");
  navigator.clipboard?.writeText(button.dataset.clipboardText); // if the theme's handler has read the block
}, true);
