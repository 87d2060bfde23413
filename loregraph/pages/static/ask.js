// @ts-check
// Completes labels, relationships, properties and words of a query while somebody writes. The text area keeps the focus,
// the arrows choose in the list, Enter or Tab takes, Escape closes.

import { element, embedded } from "./text.js";

const MOST_COMPLETIONS = 60;

/** @typedef {{ labels: Record<string, string[][]>, relationships: Record<string, string[][]>, clauses: string[],
 *   functions: string[] }} QueryWords */
/** @typedef {{ text: string, what: string }} Completion */
/** @typedef {{ partial: string, found: Completion[], sure: boolean }} Completing */

/** @param {ParentNode} root */
export function startAsk(root) {
  const form = /** @type {HTMLFormElement | null} */ (root.querySelector("[data-ask]"));
  const area = form?.querySelector("textarea");
  if (!form || !area || form.dataset.askStarted) return;
  form.dataset.askStarted = "1";
  /** @type {QueryWords} */
  const words = embedded("query-words");
  const hint = form.querySelector("[data-ask-hint]");
  if (hint instanceof HTMLElement) hint.hidden = false;
  pointAtError(form, area);
  const list = completionsOf(area, words);
  area.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      list.close();
      form.requestSubmit();
    }
  });
}

/** Selects what an error names by its position. @param {HTMLFormElement} form @param {HTMLTextAreaElement} area */
function pointAtError(form, area) {
  const said = form.querySelector("[data-query-error]")?.textContent || "";
  const position = /at position (\d+)/.exec(said);
  if (!position) return;
  const start = Number(position[1]);
  const token = /^(\w+|\S)/.exec(area.value.slice(start));
  area.focus();
  area.setSelectionRange(start, start + (token ? token[0].length : 0));
}

/** @param {HTMLTextAreaElement} area @param {QueryWords} words */
function completionsOf(area, words) {
  const list = element("ul", { class: "completions", role: "listbox", id: "completions", "aria-label": "Completions",
    hidden: true });
  area.parentElement?.append(list);
  area.setAttribute("aria-autocomplete", "list");
  area.setAttribute("aria-haspopup", "listbox");
  /** @type {Completing | null} */
  let shown = null;
  let chosen = -1;

  const choose = (/** @type {number} */ place) => {
    list.children[chosen]?.setAttribute("aria-selected", "false");
    const count = list.children.length;
    chosen = place < 0 ? (place === -1 ? count - 1 : -1) : place % count;
    const option = list.children[chosen];
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-activedescendant", option.id);
  };
  const close = () => {
    list.hidden = true;
    shown = null;
    chosen = -1;
    area.removeAttribute("aria-controls");
    area.removeAttribute("aria-activedescendant");
  };
  const take = (/** @type {Completion} */ one) => {
    const end = area.selectionEnd;
    area.setSelectionRange(end - (shown?.partial.length || 0), end);
    // The only way to write that can be undone by the keyboard; browsers without it set the text.
    if (!document.execCommand("insertText", false, one.text)) area.setRangeText(one.text, area.selectionStart, end, "end");
    close();
  };
  const open = (/** @type {boolean} */ asked) => {
    const completing = area.selectionStart === area.selectionEnd
      ? completionsAt(area.value.slice(0, area.selectionStart), area.value, words, asked) : null;
    if (!completing || !completing.found.length) return close();
    shown = completing;
    list.replaceChildren(...completing.found.map((one, place) => element("li",
      { role: "option", id: `completion-${place}`, "aria-selected": "false",
        mousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(one); } },
      one.text, element("small", {}, one.what))));
    chosen = -1;
    list.hidden = false;
    area.setAttribute("aria-controls", list.id);
    area.removeAttribute("aria-activedescendant");
    const { left, top } = caretPlace(area, completing.partial.length);
    list.style.top = `${top}px`;
    list.style.left = `${Math.max(0, Math.min(left, area.clientWidth - list.offsetWidth))}px`;
    if (completing.sure || asked) choose(0);
  };

  area.addEventListener("input", () => open(false));
  area.addEventListener("blur", close);
  area.addEventListener("click", close);
  area.addEventListener("scroll", close);
  area.addEventListener("keydown", event => {
    if (event.isComposing) return;
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      open(true);
      return;
    }
    if (!shown) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? chosen + 1 : chosen - 1);
    } else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0 && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      take(shown.found[chosen]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (["ArrowLeft", "ArrowRight", "Home", "End", "Tab"].includes(event.key)) close();
  });
  return { close };
}

/**
 * What may be written at the end of `before`, a part of `whole`. `sure`: nothing else may be.
 * @param {string} before
 * @param {string} whole
 * @param {QueryWords} words
 * @param {boolean} asked
 * @returns {Completing | null}
 */
export function completionsAt(before, whole, words, asked) {
  const code = withoutTexts(before);
  if (code === null) return null;
  const partial = (/\w*$/.exec(code) || [""])[0];
  const ahead = code.slice(0, code.length - partial.length).trimEnd();
  const last = ahead.slice(-1);
  const bracket = openBracket(ahead);
  const named = (/** @type {Record<string, string[][]>} */ of, /** @type {string} */ what) =>
    fitting(Object.keys(of).map(text => ({ text, what })), partial);
  if (last === ":" || last === "|") {
    if (bracket === "(") return { partial, found: named(words.labels, "label"), sure: true };
    if (bracket === "[") return { partial, found: named(words.relationships, "relationship"), sure: true };
    return null;
  }
  if (last === ".") {
    const variable = (/(\w+)\.$/.exec(ahead) || ["", ""])[1];
    if (/^\d*$/.test(variable)) return null;
    return { partial, found: fitting(propertiesOf(variable, whole, words), partial), sure: true };
  }
  if (bracket === "{" && (last === "{" || last === ",")) {
    const pattern = /[(\[]\s*\w*\s*:\s*(\w+)[^({\[]*\{[^{}]*$/.exec(ahead);
    return pattern ? { partial, found: fitting(propertiesOfName(pattern[1], words), partial), sure: true } : null;
  }
  if (!partial && !asked) return null;
  const variables = [...new Set([...whole.matchAll(/[(\[]\s*(\w+)\s*[:)\]{]/g)].map(found => found[1]))];
  const found = fitting([
    ...words.clauses.map(text => ({ text, what: "" })),
    ...variables.map(text => ({ text, what: "variable" })),
    ...words.functions.map(text => ({ text: text + "(", what: "function" })),
  ], partial);
  return { partial, found, sure: false };
}

/** @param {Completion[]} all @param {string} partial */
function fitting(all, partial) {
  const wanted = partial.toLowerCase();
  const found = all.filter(one => one.text.toLowerCase().startsWith(wanted));
  if (found.some(one => one.text === partial)) return [];
  return found.slice(0, MOST_COMPLETIONS);
}

/** Properties of what a variable is declared as; of everything where that is not said.
 * @param {string} variable @param {string} whole @param {QueryWords} words */
function propertiesOf(variable, whole, words) {
  const declared = new RegExp(`[(\\[]\\s*${variable}\\s*:\\s*(\\w+)`).exec(whole);
  const known = declared ? propertiesOfName(declared[1], words) : [];
  if (known.length) return known;
  const all = new Map();
  for (const of of [...Object.values(words.labels), ...Object.values(words.relationships)]) {
    for (const [text, what] of of) if (!all.has(text)) all.set(text, { text, what });
  }
  return [...all.values()];
}

/** @param {string} name @param {QueryWords} words @returns {Completion[]} */
function propertiesOfName(name, words) {
  const properties = words.labels[name] || words.relationships[name.toUpperCase()] || [];
  return properties.map(([text, what]) => ({ text, what }));
}

/** `text` with its texts and comments blanked out; null where it ends within one. @param {string} text */
function withoutTexts(text) {
  let code = "";
  for (let at = 0; at < text.length;) {
    const sign = text[at];
    const two = text.slice(at, at + 2);
    if (sign === "'" || sign === '"' || sign === "`") {
      let end = at + 1;
      while (end < text.length && text[end] !== sign) end += text[end] === "\\" ? 2 : 1;
      if (end >= text.length) return null;
      code += "_".repeat(end + 1 - at);
      at = end + 1;
    } else if (two === "//" || two === "/*") {
      const end = text.indexOf(two === "//" ? "\n" : "*/", at + 2);
      if (end < 0) return null;
      code += " ";
      at = end + (two === "//" ? 1 : 2);
    } else {
      code += sign;
      at++;
    }
  }
  return code;
}

/** The bracket that is open at the end. @param {string} code */
function openBracket(code) {
  const open = [];
  for (const sign of code) {
    if ("([{".includes(sign)) open.push(sign);
    else if (")]}".includes(sign)) open.pop();
  }
  return open.pop() || "";
}

/** Where the word before the caret begins, below its line. @param {HTMLTextAreaElement} area @param {number} back */
function caretPlace(area, back) {
  const style = getComputedStyle(area);
  const mirror = document.createElement("div");
  for (const name of ["font", "lineHeight", "padding", "borderWidth", "boxSizing", "tabSize", "letterSpacing"]) {
    mirror.style.setProperty(name.replace(/[A-Z]/g, sign => "-" + sign.toLowerCase()), style.getPropertyValue(name.replace(/[A-Z]/g, sign => "-" + sign.toLowerCase())));
  }
  Object.assign(mirror.style, { position: "absolute", visibility: "hidden", whiteSpace: "pre-wrap", overflowWrap: "break-word",
    width: `${area.clientWidth}px`, top: "0", left: "0" });
  mirror.textContent = area.value.slice(0, area.selectionStart - back);
  const mark = document.createElement("span");
  mark.textContent = "x";
  mirror.append(mark);
  area.parentElement?.append(mirror);
  const place = { left: mark.offsetLeft, top: mark.offsetTop + mark.offsetHeight + 4 - area.scrollTop };
  mirror.remove();
  return place;
}
