// @ts-check
// Gets what a page did not bring along: from the server, or in an export from files beside it.

/** @type {Map<string, (value: any) => void>} */
const awaited = new Map();

/** An answer that is an error, with its status. */
export class LoadError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Scripts of an export call this: pages opened as files may not fetch.
Object.defineProperty(window, "loregraphData", {
  value: (/** @type {string} */ name, /** @type {any} */ value) => {
    awaited.get(name)?.(value);
    awaited.delete(name);
  },
});

/**
 * The value at an address given by the page. Raises LoadError.
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function load(address, signal) {
  if (!address.endsWith(".js")) return (await fetched(address, signal)).json();
  const name = decodeURIComponent(new URL(address, document.baseURI).pathname.split("/").pop() || "");
  return new Promise((resolve, reject) => {
    awaited.set(name, resolve);
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("error", () => reject(new LoadError(404, "the export has no such data")));
    script.addEventListener("load", () => script.remove());
    document.head.append(script);
  });
}

/**
 * A fragment of HTML made by our own templates, as nodes. Raises LoadError.
 * @param {string} address
 * @param {AbortSignal} [signal]
 */
export async function part(address, signal) {
  const text = await (await fetched(address, signal)).text();
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const made = document.createDocumentFragment();
  made.append(...parsed.body.childNodes);
  return made;
}

/** @param {string} address @param {AbortSignal} [signal] */
async function fetched(address, signal) {
  const response = await fetch(address, { signal, credentials: "same-origin", redirect: "error" });
  if (!response.ok) throw new LoadError(response.status, await response.text());
  return response;
}
