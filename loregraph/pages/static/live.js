// @ts-check
// Follows the graph: when it has changed, the page's content is loaded again and put in place.

import { element } from "./text.js";

const SHORTEST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/** @param {(root: ParentNode) => void} startAll */
export function startLive(startAll) {
  const address = document.body.dataset.events;
  if (!address) return;
  let known = "";
  let wait = SHORTEST_WAIT;

  const listen = () => {
    const events = new EventSource(address);
    events.addEventListener("graph", event => {
      wait = SHORTEST_WAIT;
      say("");
      if (known && known !== event.data) refresh(startAll);
      known = event.data;
    });
    events.addEventListener("error", () => {
      events.close();
      say("The viewer does not answer. Is `loregraph view` still running?");
      setTimeout(listen, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    });
    addEventListener("pagehide", () => events.close(), { once: true });
  };
  listen();
}

/** Loads the content of this address again. What somebody is typing is not lost: then it only offers to.
 * @param {(root: ParentNode) => void} startAll */
export async function refresh(startAll) {
  const main = document.querySelector("main");
  if (!main) return;
  if (isBeingEdited(main)) {
    if (!document.querySelector("[data-changed]")) {
      const reload = element("button", { type: "button", click: () => location.reload() }, "Show it");
      const note = element("p", { class: "notice", role: "status", "data-changed": true }, "The graph has changed. ", reload);
      main.prepend(note);
    }
    return;
  }
  let text;
  try {
    const response = await fetch(location.href, { credentials: "same-origin", headers: { "X-Refresh": "1" } });
    if (!response.ok) return;
    text = await response.text();
  } catch {
    return; // the events say that the viewer is gone
  }
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const content = fresh.querySelector("main");
  if (!content || isBeingEdited(main)) return;
  const active = document.activeElement;
  const focused = active && main.contains(active) ? selectorOf(active) : "";
  const opened = [...main.querySelectorAll("details")].map(one => one.open);
  main.replaceChildren(...content.childNodes);
  main.querySelectorAll("details").forEach((one, index) => {
    if (opened[index]) one.open = true;
  });
  const state = fresh.querySelector("[data-state]");
  const shown = document.querySelector("[data-state]");
  if (state && shown) shown.textContent = state.textContent;
  startAll(main);
  const again = focused ? main.querySelector(focused) : null;
  if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
}

/** @param {Element} main */
function isBeingEdited(main) {
  return [...main.querySelectorAll("textarea, input[type=text]")].some(one => {
    const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (one);
    return field.value !== field.defaultValue;
  });
}

/** @param {Element} one */
function selectorOf(one) {
  if (one.id) return "#" + CSS.escape(one.id);
  const address = one.getAttribute("href");
  return address ? `${one.localName}[href="${CSS.escape(address)}"]` : "";
}

/** @param {string} text */
function say(text) {
  let note = document.querySelector("[data-connection]");
  if (!text) {
    note?.remove();
    return;
  }
  if (!note) {
    note = element("p", { class: "notice bad", role: "status", "data-connection": true });
    document.querySelector("footer")?.prepend(note);
  }
  note.textContent = text;
}
