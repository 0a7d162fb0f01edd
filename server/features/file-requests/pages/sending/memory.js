/**
 * Remembers which upload each file has, so that a reload of the page loses nothing. The server keeps uploads for a day.
 */
const keptMs = 86_400_000;
const key = `cubby-sending ${location.pathname}`;

function read() {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? '{}');
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => at > Date.now() - keptMs));
  } catch {
    // Without storage, a reload starts from the beginning.
    return {};
  }
}

function write(all) {
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // As above.
  }
}

/** Returns the name under which a file is found again. */
function nameOf({ path, file }) {
  return `${path}|${file.size}|${file.lastModified}`;
}

/** Returns the id of the upload of a file. Undefined without one. */
export function recall(item) {
  return read()[nameOf(item)]?.upload;
}

export function remember(item, upload) {
  write({ ...read(), [nameOf(item)]: { upload, at: Date.now() } });
}

export function forget(item) {
  const { [nameOf(item)]: _, ...others } = read();
  write(others);
}
