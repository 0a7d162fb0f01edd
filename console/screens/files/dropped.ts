import type { FoundFile } from './uploads.ts';

/** Reads the files of a drop or a paste, and those of its folders. Call it while the event runs. */
export async function filesIn({ items, files }: DataTransfer): Promise<FoundFile[]> {
  const entries = Array.from(items, (item) => (item.kind === 'file' ? (item.webkitGetAsEntry?.() ?? null) : null));
  if (!entries.some((entry) => entry?.isDirectory)) return Array.from(files, (file) => ({ file, path: file.name }));
  const found = await Promise.all(entries.map((entry) => (entry ? filesUnder(entry, '') : Promise.resolve([]))));
  return found.flat();
}

async function filesUnder(entry: FileSystemEntry, folder: string): Promise<FoundFile[]> {
  // Systems hide these from people, who so do not mean to upload them.
  if (entry.name.startsWith('.')) return [];
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined)),
    );
    return file ? [{ file, path }] : [];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FoundFile[] = [];
  for (;;) {
    // Each call returns up to a hundred entries, and finally none.
    const part = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await filesUnder(inner, path)));
  }
}
