/** Whether files are dragged, and not text or a link. */
export function isDropOfFiles(event) {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** Returns the files of a drop with their paths. Folders are read to their depths. */
export async function filesOf({ items, files }) {
  // Read before the first wait, because a browser empties the drop afterwards.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...files].map((file) => ({ file, path: file.name }));
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve) => entry.file(resolve, () => resolve(undefined)));
    if (file) found.push({ file, path: entry.fullPath.replace(/^\//, '') });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A reader returns a hundred entries at a time.
    const entries = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (entries.length === 0) return;
    for (const one of entries) await collect(one, found);
  }
}
