// @ts-check
// `<div data-part="address">` is filled with the fragment there: at once, or as soon as a `<details>` around it is opened.

import { element } from "./text.js";
import { part } from "./load.js";

/** @param {ParentNode} root @param {(root: ParentNode) => void} startAll */
export function startParts(root, startAll) {
  for (const place of root.querySelectorAll("[data-part]")) {
    const folded = place.closest("details");
    if (folded && !folded.open) folded.addEventListener("toggle", () => fill(place, startAll), { once: true });
    else fill(place, startAll);
  }
}

/** @param {Element} place @param {(root: ParentNode) => void} startAll */
async function fill(place, startAll) {
  const address = place.getAttribute("data-part");
  if (!address) return;
  place.removeAttribute("data-part");
  place.setAttribute("aria-busy", "true");
  try {
    place.replaceChildren(await part(address));
    startAll(place);
  } catch (error) {
    const again = element("button", { type: "button", click: () => retry() }, "Try again");
    const retry = () => {
      place.setAttribute("data-part", address);
      fill(place, startAll);
    };
    place.replaceChildren(element("p", { class: "notice bad" }, "This could not be loaded. ", again));
  } finally {
    place.removeAttribute("aria-busy");
  }
}
