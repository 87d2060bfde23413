// @ts-check
// A picture that is larger than its place: `<div data-canvas><svg width height viewBox>`. It is scrolled, so that what
// has the focus comes into view by itself; buttons with `data-canvas-zoom`, + and −, and the wheel with Ctrl change its
// scale, a drag moves it.

const LEAST_SCALE = 0.2;
const MOST_SCALE = 3;
/** Below this, text of 12 px cannot be read: a first look rather scrolls. */
const READABLE_SCALE = 0.62;
const ZOOM_STEP = 1.25;

/** @typedef {{ scale: number, set: (scale: number, x?: number, y?: number) => void, fit: () => void }} Canvas */

/** @type {WeakMap<Element, Canvas>} */
const canvases = new WeakMap();

/** How the picture of an address was last looked at: the page may be made again because the graph has changed.
 * @type {{ address: string, scale: number, left: number, top: number } | null} */
let lastLook = null;

/** @param {ParentNode} root */
export function startCanvas(root) {
  for (const place of root.querySelectorAll("[data-canvas]")) {
    if (place instanceof HTMLElement && !canvases.has(place)) beginCanvas(place);
  }
}

/** The canvas in an element, or undefined. @param {Element | null} place */
export function canvasOf(place) {
  return place ? canvases.get(place) : undefined;
}

/** @param {HTMLElement} place */
function beginCanvas(place) {
  const picture = place.querySelector("svg");
  if (!picture) return;
  const width = picture.width.baseVal.value;
  const height = picture.height.baseVal.value;
  /** @type {Canvas} */
  const canvas = {
    scale: 1,
    set(scale, x = place.clientWidth / 2, y = place.clientHeight / 2) {
      const now = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale));
      const left = (place.scrollLeft + x) / canvas.scale;
      const top = (place.scrollTop + y) / canvas.scale;
      canvas.scale = now;
      picture.setAttribute("width", String(Math.round(width * now)));
      picture.setAttribute("height", String(Math.round(height * now)));
      place.scrollLeft = left * now - x;
      place.scrollTop = top * now - y;
    },
    fit() {
      canvas.set(Math.min(1.25, place.clientWidth / width, Math.max(200, place.clientHeight) / height), 0, 0);
      place.scrollTo(0, 0);
    },
  };
  canvases.set(place, canvas);
  const whole = place.clientWidth / width;
  if (lastLook?.address === location.href) {
    const { scale, left, top } = lastLook;
    canvas.set(scale, 0, 0);
    place.scrollTo(left, top);
  } else if (whole < 1) canvas.set(Math.max(READABLE_SCALE, whole), 0, 0);
  place.addEventListener("scroll", () => {
    lastLook = { address: location.href, scale: canvas.scale, left: place.scrollLeft, top: place.scrollTop };
  }, { passive: true });
  place.classList.add("draggable");
  startDrag(place);
  place.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const corner = place.getBoundingClientRect();
    canvas.set(canvas.scale * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP), event.clientX - corner.left, event.clientY - corner.top);
  }, { passive: false });
  place.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") canvas.set(canvas.scale * ZOOM_STEP);
    else if (event.key === "-") canvas.set(canvas.scale / ZOOM_STEP);
    else if (event.key === "0") canvas.fit();
    else return;
    event.preventDefault();
  });
  const tools = place.parentElement?.parentElement?.querySelector("[data-canvas-tools]");
  if (!(tools instanceof HTMLElement)) return;
  tools.hidden = false;
  for (const button of tools.querySelectorAll("[data-canvas-zoom]")) {
    button.addEventListener("click", () => {
      const how = button.getAttribute("data-canvas-zoom");
      if (how === "fit") canvas.fit();
      else canvas.set(canvas.scale * (how === "in" ? ZOOM_STEP : 1 / ZOOM_STEP));
    });
  }
}

/** A drag with the mouse scrolls; a touch does so by itself. @param {HTMLElement} place */
function startDrag(place) {
  /** @type {{ x: number, y: number, left: number, top: number } | null} */
  let from = null;
  let moved = false;
  place.addEventListener("pointerdown", event => {
    moved = false;
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY, left: place.scrollLeft, top: place.scrollTop };
  });
  place.addEventListener("pointermove", event => {
    if (!from) return;
    const x = event.clientX - from.x;
    const y = event.clientY - from.y;
    if (!moved && Math.hypot(x, y) < 5) return;
    if (!moved) place.setPointerCapture(event.pointerId);
    moved = true;
    place.classList.add("dragged");
    place.scrollLeft = from.left - x;
    place.scrollTop = from.top - y;
  });
  const end = () => {
    from = null;
    place.classList.remove("dragged");
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
  // The click that ends a drag is none.
  place.addEventListener("click", event => {
    if (moved) event.preventDefault();
  }, { capture: true });
  place.addEventListener("dragstart", event => event.preventDefault());
}
