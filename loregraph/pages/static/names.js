// @ts-check
// Finds names in an export, by the rules of loregraph/pages/names.py.

const NAME_WORDS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{L}\p{M}]+|\p{N}+/gu;
const QUERY_WORDS = /[^\s/.:#]+/g;
const MOST_COMPARED = 5000;
const EXACT = 0, BEGINNING = 1, WORD = 2, INITIALS = 3, WITHIN = 4, SPREAD = 5, NO_MATCH = 6;
/** Kinds have names of a project's languages, "constructor" among them: no object is a table of them. */
const GROUP_TITLES = new Map([["file", "Files"], ["component", "Components"], ["requirement", "Requirements"],
  ["design", "Designs"]]);

/**
 * @typedef {{ kinds: string[], paths: string[], pages: string[], names: string[], kind: number[], path: number[],
 *   page: number[], anchors: string[], left_out: number, shapes?: string[], keys?: string[] }} Names
 */

/**
 * The best matches in groups, `most` of each.
 * @param {Names} names
 * @param {string} query
 * @param {number} most
 */
export function matchNames(names, query, most) {
  const whole = shapeOf(query).toLowerCase();
  if (!whole) return [];
  const ranked = whole.length === 1 ? beginningWith(names, whole) : anywhere(names, query, whole);
  /** @type {Map<string, [number, number][]>} */
  const groups = new Map();
  for (const row of ranked) {
    const title = GROUP_TITLES.get(names.kinds[names.kind[row[1]]]) || "Code";
    const rows = groups.get(title);
    if (rows) rows.push(row);
    else groups.set(title, [row]);
  }
  const order = ["Code", ...GROUP_TITLES.values()];
  return [...groups].map(([title, rows]) => {
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return { title, how: rows[0][0], total: rows.length, results: rows.slice(0, most).map(row => resultAt(names, row[1])) };
  }).sort((a, b) => a.how - b.how || order.indexOf(a.title) - order.indexOf(b.title));
}

/** [how, row] of names with this first letter. @param {Names} names @param {string} letter */
function beginningWith(names, letter) {
  /** @type {[number, number][]} */
  const found = [];
  comparedOf(names).keys.forEach((key, row) => {
    if (key.startsWith(letter)) found.push([key === letter ? EXACT : BEGINNING, row]);
  });
  return found;
}

/** [how, row] of names that match in any way. @param {Names} names @param {string} query @param {string} whole */
function anywhere(names, query, whole) {
  const { keys, shapes } = comparedOf(names);
  const spread = spreadOver(names, query);
  /** @type {[number, number][]} */
  const found = [];
  keys.forEach((key, row) => {
    let how = howOf(key, shapes[row], whole) ?? NO_MATCH;
    if (how > INITIALS && initialsOf(shapes[row]).startsWith(whole)) how = INITIALS;
    if (how > WORD) how = Math.min(how, spread(row));
    if (how !== NO_MATCH) found.push([how, row]);
  });
  return found;
}

/**
 * How a row has the last of several words, where what it is in has the others.
 * @param {Names} names
 * @param {string} query
 * @returns {(row: number) => number}
 */
function spreadOver(names, query) {
  const words = query.toLowerCase().match(QUERY_WORDS) || [];
  const last = words.length > 1 ? shapeOf(words[words.length - 1]).toLowerCase() : "";
  if (!last) return () => NO_MATCH;
  const { keys, shapes } = comparedOf(names);
  let compared = 0;
  return row => {
    const own = compared < MOST_COMPARED ? howOf(keys[row], shapes[row], last) : null;
    if (own === null) return NO_MATCH;
    compared++;
    const where = `${names.paths[names.path[row]]}::${names.names[row]}`.toLowerCase();
    if (!words.slice(0, -1).every(word => where.includes(word))) return NO_MATCH;
    return own <= BEGINNING ? WORD : SPREAD;
  };
}

/** What is compared of the names, made once. @param {Names} names */
function comparedOf(names) {
  const shapes = names.shapes = names.shapes || names.names.map((name, row) => shapeOf(ownName(names, name, row)));
  const keys = names.keys = names.keys || shapes.map(shape => shape.toLowerCase());
  return { shapes, keys };
}

/** The name of code without what it is in. @param {Names} names @param {string} name @param {number} place */
function ownName(names, name, place) {
  return GROUP_TITLES.has(names.kinds[names.kind[place]]) ? name : name.slice(name.lastIndexOf(".") + 1);
}

/** @param {Names} names @param {number} place */
function resultAt(names, place) {
  const anchor = names.anchors[place];
  return {
    name: names.names[place],
    kind: names.kinds[names.kind[place]],
    where: names.paths[names.path[place]],
    address: names.pages[names.page[place]] + (anchor ? "#" + anchor : ""),
  };
}

/** @param {string} name */
function shapeOf(name) {
  return (name.match(NAME_WORDS) || []).map(word => {
    const lowered = word.toLowerCase();
    const first = lowered.charAt(0).toUpperCase();
    return first.length === 1 ? first + lowered.slice(1) : lowered;
  }).join("");
}

/** @param {string} shape */
function initialsOf(shape) {
  const found = shape.match(/\p{Lu}/gu);
  return found && found.length > 1 ? found.join("").toLowerCase() : "";
}

/** @param {string} key @param {string} shape @param {string} wanted @returns {number | null} */
function howOf(key, shape, wanted) {
  let at = key.indexOf(wanted);
  if (at < 0) return null;
  if (key === wanted) return EXACT;
  if (at === 0) return BEGINNING;
  for (; at > 0; at = key.indexOf(wanted, at + 1)) {
    if (shape.length === key.length && /\p{Lu}/u.test(shape[at])) return WORD;
    if (/\d/.test(shape[at]) && !/\d/.test(shape[at - 1])) return WORD;
  }
  return WITHIN;
}
