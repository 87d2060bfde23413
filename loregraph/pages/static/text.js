// @ts-check
// Makes elements. Text is only ever set as text: nothing of a project can become markup here.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
// The same characters as in loregraph/terminal.py: invisible, or they turn text around.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** `text` with characters that cannot be seen, or that reorder others, as escapes. @param {string} text */
export function visible(text) {
  return text.replace(UNSEEN, found => "\\u" + found.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */

/**
 * @param {Element} made
 * @param {Record<string, Attribute>} attributes
 * @param {(Node | string)[]} children
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.map(child => (typeof child === "string" ? visible(child) : child)));
}

/**
 * An HTML element; a function among the attributes listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  filled(made, attributes, children);
  return made;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG_NAMESPACE, tag);
  filled(made, attributes, children);
  return made;
}

/** The value of a `<script type="application/json">`. @param {string} id @param {ParentNode} [root] */
export function embedded(id, root = document) {
  const found = root.querySelector(`script[type="application/json"]#${id}`);
  return found ? JSON.parse(found.textContent || "null") : null;
}
