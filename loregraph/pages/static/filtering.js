// @ts-check
// A box that leaves, of the things on a page, those with a text in their `data-paths`.

/**
 * Begins with every input that has `data-filter`, a selector of what it filters.
 * @param {ParentNode} root
 */
export function startFiltering(root) {
  for (const box of root.querySelectorAll("input[data-filter]")) {
    if (!(box instanceof HTMLInputElement) || box.dataset.started) continue;
    box.dataset.started = "yes";
    box.addEventListener("input", () => filterBy(root, box));
    if (box.value) filterBy(root, box);
  }
}

/**
 * @param {ParentNode} root
 * @param {HTMLInputElement} box
 */
function filterBy(root, box) {
  const wanted = box.value.trim().toLowerCase();
  const all = root.querySelectorAll(box.dataset.filter || "");
  let shown = 0;
  for (const one of all) {
    if (!(one instanceof HTMLElement)) continue;
    one.hidden = !(one.dataset.paths || "").toLowerCase().includes(wanted);
    shown += one.hidden ? 0 : 1;
  }
  for (const group of root.querySelectorAll("[data-filter-group]")) {
    if (group instanceof HTMLElement) {
      group.hidden = wanted !== "" && group.querySelector("[data-paths]:not([hidden])") === null;
    }
  }
  const told = root.querySelector("[data-filtered]");
  if (told) told.textContent = wanted ? `${shown.toLocaleString("en")} of ${all.length.toLocaleString("en")}` : "";
}
