// @ts-check
// Filters of the matrix act as soon as one is chosen; without script there is a button. The tree of documents is folded
// where there is no room beside the matrix.

const NARROW = "(max-width: 70rem)";

/** @param {ParentNode} root */
export function startRequirements(root) {
  for (const form of root.querySelectorAll("form[data-requirement-filters]")) {
    if (!(form instanceof HTMLFormElement)) continue;
    for (const select of form.querySelectorAll("select")) {
      select.addEventListener("change", () => form.requestSubmit());
    }
    // Addresses stay short: what asks for nothing is left out.
    form.addEventListener("formdata", event => {
      for (const [name, value] of [...event.formData.entries()]) if (value === "") event.formData.delete(name);
    });
  }
  if (matchMedia(NARROW).matches) {
    for (const folded of root.querySelectorAll("details[data-documents]")) folded.removeAttribute("open");
  }
  // Somebody who decided about a suggestion comes back to them.
  if (location.hash === "#suggestions") {
    for (const folded of root.querySelectorAll("details[data-open-at=suggestions]")) folded.setAttribute("open", "");
  }
}
