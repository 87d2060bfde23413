// @ts-check
// Source: a click on a line's number is the address of the line, and what an address names is unfolded. Numbers are no
// links, since a page has thousands of them to go through by the keyboard; places listed beside the source are.

/** @param {ParentNode} root */
export function startSource(root) {
  for (const source of root.querySelectorAll("pre.source")) source.addEventListener("click", nameLine);
  if (root !== document) return;
  window.addEventListener("hashchange", unfoldTarget);
  unfoldTarget();
}

/** @param {Event} event */
function nameLine(event) {
  const clicked = event.target;
  if (clicked instanceof HTMLElement && clicked.localName === "i" && clicked.id) location.hash = clicked.id;
}

/** Opens every `<details>` around the target, and the target. */
function unfoldTarget() {
  const target = document.getElementById(decoded(location.hash.slice(1)));
  let folded = target?.closest("details");
  if (!target || !folded || folded.open) return;
  for (; folded; folded = folded.parentElement?.closest("details")) folded.open = true;
  target.scrollIntoView({ block: "center" });
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
