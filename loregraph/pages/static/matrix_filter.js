// @ts-check
// Filters the rows that are on the page, where no server does: in a report, and in an export.

/** @param {ParentNode} root */
export function startMatrixFilter(root) {
  const filters = root.querySelector("[data-matrix-filters]");
  const table = root.querySelector("table[data-matrix]");
  if (!(filters instanceof HTMLElement) || !(table instanceof HTMLTableElement) || filters.dataset.started) return;
  filters.dataset.started = "yes";
  filters.hidden = false;
  const rows = [...table.tBodies[0].rows].map(row => ({ row, text: (row.textContent || "").toLowerCase() }));
  const words = filters.querySelector("input[type=search]");
  const boxes = [...filters.querySelectorAll("input[type=checkbox]")].filter(box => box instanceof HTMLInputElement);
  const told = filters.querySelector("[data-matrix-count]");

  const filter = () => {
    const wanted = words instanceof HTMLInputElement ? words.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
    const off = boxes.filter(box => !box.checked);
    let count = 0;
    for (const { row, text } of rows) {
      const isOff = off.some(box => row.getAttribute(`data-${box.dataset.kind}`) === box.value);
      const isShown = !isOff && wanted.every(word => text.includes(word));
      row.toggleAttribute("hidden", !isShown);
      count += isShown ? 1 : 0;
    }
    if (told) told.textContent = `${count.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  };
  filters.addEventListener("input", filter);
  filter();
}
