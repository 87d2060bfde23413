// @ts-check
// Search everywhere: `/` or the field at the top opens a box with what is found while somebody types. The pattern is
// WAI-ARIA's combobox with a list box: the field keeps the focus, the arrows choose.

import { element, visible } from "./text.js";
import { load } from "./load.js";
import { matchNames } from "./names.js";

const QUIET_MS = 70;
const EXPORT_RESULTS = 8;

/** @typedef {{ name: string, kind: string, where: string, address: string }} FoundResult */
/** @typedef {{ title: string, results: FoundResult[], total: number }} FoundGroup */

/** @type {ReturnType<typeof finder> | null} */
let opened = null;

/** Once for the page: the frame is not replaced. */
export function startSearch() {
  const field = /** @type {HTMLInputElement | HTMLButtonElement | null} */ (document.querySelector("[data-search-open]"));
  if (!field || field.dataset.searchStarted) return;
  field.dataset.searchStarted = "1";
  field.hidden = false;
  const open = (/** @type {string} */ text) => {
    opened = opened || finder();
    opened.open(text);
  };
  field.addEventListener("click", () => open(field.value));
  field.addEventListener("input", () => {
    const text = field.value;
    field.value = "";
    open(text);
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    open("");
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement
    && (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"))
    || document.querySelector("dialog[open]") !== null;
}

function finder() {
  const input = element("input", {
    type: "search", role: "combobox", "aria-label": "Search everything", "aria-expanded": "false",
    "aria-controls": "finder-results", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false",
    placeholder: "A name, its initials, a path, an id, or words",
  });
  const results = element("div", { class: "finder-results", role: "listbox", id: "finder-results",
    "aria-label": "What was found", hidden: true });
  const note = element("p", { class: "finder-note", role: "status" });
  const close = element("button", { type: "button", class: "plain", click: () => box.close() }, "Close");
  const box = element("dialog", { class: "finder", "aria-label": "Search everything" },
    element("div", { class: "finder-field" }, input, close), results, note);
  document.body.append(box);

  /** @type {AbortController | null} */
  let asking = null;
  let waiting = 0;
  /** @type {HTMLAnchorElement[]} */
  let options = [];
  let chosen = -1;
  let shownFor = "";

  const choose = (/** @type {number} */ place) => {
    options[chosen]?.setAttribute("aria-selected", "false");
    chosen = options.length ? (place + options.length) % options.length : -1;
    const option = options[chosen];
    if (!option) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  };

  const show = (/** @type {FoundGroup[]} */ groups, /** @type {string} */ query, /** @type {string} */ more) => {
    options = [];
    shownFor = query;
    results.dataset.query = query;
    results.replaceChildren(...groups.map((group, number) => {
      const heading = element("p", { id: `finder-group-${number}` }, group.title);
      const made = element("div", { role: "group", "aria-labelledby": heading.id }, heading);
      for (const found of group.results) {
        const option = element("a", { role: "option", id: `finder-${options.length}`, href: found.address,
          tabindex: "-1", "aria-selected": "false" }, element("b", {}, found.name),
          element("span", { class: "where" }, found.where), element("span", { class: "kind" }, found.kind));
        option.addEventListener("click", () => box.close());
        options.push(option);
        made.append(option);
      }
      return made;
    }));
    const any = options.length > 0;
    results.hidden = !any;
    input.setAttribute("aria-expanded", String(any));
    const total = groups.reduce((sum, group) => sum + group.total, 0);
    if (!query) note.textContent = "Arrows choose, Enter opens, Escape closes.";
    else if (!any) note.textContent = `Nothing is found for ${visible(query)}.`;
    else note.textContent = `${total.toLocaleString("en")} found${total > options.length ? `, the best ${options.length} are shown` : ""}. ${more}`;
    chosen = -1;
    choose(any ? 0 : -1);
  };

  const ask = async () => {
    const query = input.value.trim();
    asking?.abort();
    const own = asking = new AbortController();
    if (query === shownFor && query) return;
    try {
      const { groups, more } = await findResults(query, own.signal);
      if (!own.signal.aborted) show(groups, query, more);
    } catch (error) {
      if (own.signal.aborted) return;
      show([], "", "");
      note.textContent = "The search got no answer. Is the viewer still running?";
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(ask, QUIET_MS);
  });
  input.addEventListener("keydown", event => {
    if (event.isComposing) return;
    const moves = /** @type {Record<string, number>} */ ({ ArrowDown: chosen + 1, ArrowUp: chosen - 1 });
    if (event.key in moves && options.length) {
      event.preventDefault();
      choose(moves[event.key]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      enter(event);
    }
  });
  const enter = async (/** @type {KeyboardEvent} */ event) => {
    if (input.value.trim() !== shownFor) {
      clearTimeout(waiting);
      await ask();
    }
    const option = options[chosen];
    if (!option) return;
    if (event.ctrlKey || event.metaKey) {
      window.open(option.href, "_blank", "noopener");
      return;
    }
    box.close();
    location.assign(option.href);
  };
  box.addEventListener("click", event => {
    if (event.target === box) box.close(); // beside the box
  });
  box.addEventListener("close", () => {
    clearTimeout(waiting);
    asking?.abort();
  });

  return {
    /** @param {string} text */
    open(text) {
      if (!box.open) box.showModal();
      input.value = text;
      input.focus();
      shownFor = "";
      show([], "", "");
      ask();
    },
  };
}

/**
 * What the server finds; in an export, what its file of names has.
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<{ groups: FoundGroup[], more: string }>}
 */
async function findResults(query, signal) {
  const { find, names } = document.body.dataset;
  if (find && !find.endsWith(".js")) {
    const address = new URL(find, document.baseURI);
    address.searchParams.set("q", query);
    return { groups: (await load(address.href, signal)).groups, more: "" };
  }
  if (!names) return { groups: [], more: "" };
  loadedNames = loadedNames || load(names);
  const value = await loadedNames;
  const more = value.left_out ? `${value.left_out.toLocaleString("en")} names are not in this export.` : "";
  const groups = query ? matchNames(value, query, EXPORT_RESULTS) : [];
  // Addresses are relative to the file of names, and pages lie in several folders.
  const base = new URL(names, document.baseURI);
  for (const result of groups.flatMap(group => group.results)) result.address = new URL(result.address, base).href;
  return { groups, more };
}

/** @type {Promise<any> | null} */
let loadedNames = null;
