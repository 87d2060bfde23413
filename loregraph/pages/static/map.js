// @ts-check
// The map: boxes open where they are, and what is pointed at shows what it depends on. Without this script every box
// and arrow is a link to the page that shows the same.

import { element, embedded } from "./text.js";
import { part } from "./load.js";
import { canvasOf, startCanvas } from "./canvas.js";

/** How long somebody points at something before it is shown: a mouse on its way elsewhere shows nothing. */
const POINTED = 60;

/** @param {ParentNode} root @param {(root: ParentNode) => void} startAll */
export function startMap(root, startAll) {
  const found = root instanceof Element && root.matches("[data-map]") ? root : root.querySelector("[data-map]");
  const map = found instanceof HTMLElement ? found : null;
  if (!map) return;
  startPointing(map);
  if (map.hasAttribute("data-map-started")) return;
  map.setAttribute("data-map-started", "");
  map.addEventListener("click", event => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a[data-map-go], a[data-map-evidence]") : null;
    const address = link?.getAttribute("href");
    if (!link || !address) return;
    if (link.hasAttribute("data-map-go") && map.dataset.map) {
      event.preventDefault();
      openMap(map, address, link, startAll);
    } else if (link.hasAttribute("data-map-evidence") && map.dataset.mapArrow) {
      event.preventDefault();
      history.replaceState(null, "", address);
      showArrow(map, address);
    }
  });
  addEventListener("popstate", () => {
    if (map.isConnected) openMap(map, location.href, null, startAll, false);
  });
}

/**
 * Shows another state of the map in place of this one, with the same thing in focus at the same place.
 * @param {HTMLElement} map @param {string} address @param {Element | null} link
 * @param {(root: ParentNode) => void} startAll @param {boolean} [remembered]
 */
async function openMap(map, address, link, startAll, remembered = true) {
  const place = map.querySelector("[data-canvas]");
  const scale = canvasOf(place)?.scale;
  const key = link?.getAttribute("data-key") ?? null;
  const before = place && link ? placeIn(place, link) : null;
  const scroll = place ? [place.scrollLeft, place.scrollTop] : [0, 0];
  map.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => sayBeside(map, "Working it out …"), 400);
  let fresh;
  try {
    fresh = await part(map.dataset.map + new URL(address, location.href).search);
  } catch {
    location.assign(address); // the server says what is wrong
    return;
  } finally {
    clearTimeout(slow);
    map.removeAttribute("aria-busy");
  }
  if (remembered) history.pushState(null, "", address);
  const words = link && !key ? link.textContent : null;
  map.replaceChildren(fresh);
  startCanvas(map);
  const canvas = map.querySelector("[data-canvas]");
  if (scale) canvasOf(canvas)?.set(scale, 0, 0);
  startAll(map);
  const same = [...map.querySelectorAll("a[data-key], a[data-map-go]")].find(one =>
    key !== null ? one.getAttribute("data-key") === key : words !== null && one.textContent === words);
  if (canvas) [canvas.scrollLeft, canvas.scrollTop] = scroll;
  if (same instanceof SVGElement || same instanceof HTMLElement) {
    if (canvas && before && canvas.contains(same)) {
      const now = placeIn(canvas, same);
      canvas.scrollLeft += now[0] - before[0];
      canvas.scrollTop += now[1] - before[1];
    }
    same.focus({ preventScroll: true });
  }
}

/** Says something beside the map. @param {HTMLElement} map @param {string} text */
function sayBeside(map, text) {
  map.querySelector("[data-map-panel]")?.replaceChildren(element("p", {}, text));
}

/** Where a link is, from the corner of the canvas. @param {Element} place @param {Element} link */
function placeIn(place, link) {
  const [outer, inner] = [place.getBoundingClientRect(), link.getBoundingClientRect()];
  return [inner.left - outer.left, inner.top - outer.top];
}

/** Puts the places behind an arrow beside the map. @param {HTMLElement} map @param {string} address */
async function showArrow(map, address) {
  const panel = map.querySelector("[data-map-panel]");
  if (!panel) return;
  panel.setAttribute("aria-busy", "true");
  try {
    panel.replaceChildren(await part(map.dataset.mapArrow + new URL(address, location.href).search));
    panel.setAttribute("data-held", "");
  } catch {
    location.assign(address);
  } finally {
    panel.removeAttribute("aria-busy");
  }
  panel.scrollIntoView({ block: "nearest" });
}

/** What is pointed at, or has the focus, is told from the rest. @param {HTMLElement} map */
function startPointing(map) {
  const picture = map.querySelector(".map-picture");
  if (!picture || picture.hasAttribute("data-pointing")) return;
  picture.setAttribute("data-pointing", "");
  /** @type {Record<string, [(number[] | number)[], (number[] | number)[]]>} */
  const near = embedded("map-neighbours", map) || {};
  let timer = 0;
  const later = (/** @type {Event} */ event) => {
    clearTimeout(timer);
    const what = event.target instanceof Element ? event.target.closest("[data-box], [data-from]") : null;
    timer = setTimeout(() => pointAt(map, picture, near, what), POINTED);
  };
  picture.addEventListener("pointerover", later);
  picture.addEventListener("pointerleave", event => {
    clearTimeout(timer);
    const focused = picture.contains(document.activeElement) ? document.activeElement : null;
    pointAt(map, picture, near, focused?.closest("[data-box], [data-from]") ?? null);
    event.stopPropagation();
  });
  picture.addEventListener("focusin", later);
  picture.addEventListener("focusout", () => {
    clearTimeout(timer);
    timer = setTimeout(() => pointAt(map, picture, near, null), POINTED);
  });
}

/**
 * @param {HTMLElement} map @param {Element} picture
 * @param {Record<string, [(number[] | number)[], (number[] | number)[]]>} near @param {Element | null} what
 */
function pointAt(map, picture, near, what) {
  for (const one of picture.querySelectorAll(".near, .pointed, .needs, .uses")) {
    one.classList.remove("near", "pointed", "needs", "uses");
  }
  picture.classList.remove("pointing");
  if (!what) return;
  const box = (/** @type {number | string | null} */ number) => picture.querySelector(`[data-box="${number}"]`);
  if (what.hasAttribute("data-from")) {
    picture.classList.add("pointing");
    what.classList.add("near");
    box(what.getAttribute("data-from"))?.classList.add("near", "uses");
    box(what.getAttribute("data-to"))?.classList.add("near", "needs");
    return;
  }
  const number = what.getAttribute("data-box") || "";
  what.classList.add("pointed");
  for (const arrow of picture.querySelectorAll(`[data-from="${number}"], [data-to="${number}"]`)) {
    arrow.classList.add("near");
    box(arrow.getAttribute("data-from"))?.classList.add("near");
    box(arrow.getAttribute("data-to"))?.classList.add("near");
  }
  const sides = near[number] || [[0], [0]];
  sides.forEach((side, index) => {
    for (const one of side) if (Array.isArray(one)) box(one[0])?.classList.add("near", index ? "uses" : "needs");
  });
  // Where nothing stands out, nothing has to step back.
  const alone = !picture.querySelector(".near");
  picture.classList.toggle("pointing", !alone && !what.classList.contains("opened"));
  describeBox(map, picture, what, sides);
}

/** Says beside the map what a box has to do with others, unless the places of an arrow stand there.
 * @param {HTMLElement} map @param {Element} picture @param {Element} what @param {(number[] | number)[][]} sides */
function describeBox(map, picture, what, sides) {
  const panel = map.querySelector("[data-map-panel]");
  if (!panel || panel.hasAttribute("data-held")) return;
  const label = (/** @type {Element | null} */ one) => one?.querySelector("[aria-label]")?.getAttribute("aria-label") || "";
  const lists = sides.flatMap((side, index) => {
    const rows = side.filter(Array.isArray);
    const more = Number(side.find(one => !Array.isArray(one)) || 0);
    if (!rows.length) return [];
    const items = rows.map(([other, count]) => element("li", {},
      element("span", {}, label(picture.querySelector(`[data-box="${other}"]`)).split(/[:,]/)[0]),
      element("span", { class: "quiet" }, count.toLocaleString("en"))));
    if (more) items.push(element("li", { class: "quiet" }, `and ${more.toLocaleString("en")} more`));
    return [element("h3", {}, index ? "Used by" : "Depends on"), element("ul", { class: "plain map-near-names" }, ...items)];
  });
  panel.replaceChildren(element("p", {}, label(what)), ...lists);
}
