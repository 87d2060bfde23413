// @ts-check
// Starts what a page has. Each `start` finds its own elements by their `data-` attributes; a page without script stays
// usable as far as it is tables, source and links.

import { startCanvas } from "./canvas.js";
import { startMap } from "./map.js";
import { startAsk } from "./ask.js";
import { startFiltering } from "./filtering.js";
import { startMatrixFilter } from "./matrix_filter.js";
import { startParts } from "./parts.js";
import { startRequirements } from "./requirements.js";
import { startLive } from "./live.js";
import { startSearch } from "./search.js";
import { startSource } from "./source.js";

/** Called for the page, and again for whatever was put into it. @param {ParentNode} root */
function startAll(root) {
  startParts(root, startAll);
  startCanvas(root);
  startMap(root, startAll);
  startAsk(root);
  startMatrixFilter(root);
  startRequirements(root);
  startFiltering(root);
  startSource(root);
}

/** On a narrow screen the navigation scrolls sideways: the entry of this page is brought into view. */
function showCurrent() {
  const current = /** @type {HTMLElement | null} */ (document.querySelector("header [aria-current]"));
  const bar = current?.closest("nav");
  if (current && bar) bar.scrollLeft = current.offsetLeft - bar.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
}

showCurrent();
startAll(document);
startSearch();
startLive(startAll);
