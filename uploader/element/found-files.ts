/** A file with its path in the chosen or dropped folder: `Holiday/2026/beach.jpg`. A single file's path is its name. */
export interface Found {
  readonly file: File;
  readonly path: string;
}

/** The contents of a drop, a paste or a dialog. */
export interface Brought {
  readonly files: readonly Found[];
  readonly folders: readonly FileSystemDirectoryEntry[];
}

/** One batch of a folder: the files, and the paths that were skipped. */
interface FolderPiece {
  readonly files: readonly Found[];
  readonly hidden: readonly string[];
  readonly unreadable: readonly string[];
}

/** Files that systems add to folders, besides names that begin with a dot. */
const leftBySystems = /^(thumbs\.db|desktop\.ini|\$recycle\.bin|system volume information|__macosx|icon\r)$/i;

/** Returns whether people normally do not see this file or folder, and so do not mean to upload it. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || leftBySystems.test(name);
}

/** Reads a drop or paste. Call it while the event runs: the entries are gone afterwards. */
export function broughtBy(transfer: DataTransfer): Brought {
  const items = Array.from(transfer.items).filter(({ kind }) => kind === 'file');
  if (items.length === 0) return { files: Array.from(transfer.files, withPath), folders: [] };
  const files: Found[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry?.();
    const file = entry?.isDirectory ? undefined : item.getAsFile();
    if (entry?.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
    else if (file) files.push(withPath(file));
  }
  return { files, folders };
}

/** Adds the path to a file. The files of a chosen folder carry their paths. */
export function withPath(file: File): Found {
  return { file, path: file.webkitRelativePath || file.name };
}

/** Reads a folder recursively, batch by batch, so that the page stays responsive. Skips hidden folders. */
export async function* walkFolder(
  folder: FileSystemDirectoryEntry,
  showHidden: boolean,
  path = folder.name,
): AsyncGenerator<FolderPiece> {
  const reader = folder.createReader();
  for (;;) {
    // Each call returns up to a hundred entries, and finally none.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    ).catch(() => undefined);
    if (!entries) yield { files: [], hidden: [], unreadable: [path] };
    if (!entries || entries.length === 0) return;
    const wanted = entries.filter(({ name }) => showHidden || !isHidden(name));
    const hidden = entries.filter((entry) => !wanted.includes(entry)).map(({ name }) => `${path}/${name}`);
    const read = await Promise.all(
      wanted.filter(({ isFile }) => isFile).map((entry) => fileOf(entry as FileSystemFileEntry, path)),
    );
    yield {
      files: read.filter((one) => typeof one !== 'string'),
      hidden,
      unreadable: read.filter((one) => typeof one === 'string'),
    };
    for (const entry of wanted)
      if (entry.isDirectory) yield* walkFolder(entry as FileSystemDirectoryEntry, showHidden, `${path}/${entry.name}`);
  }
}

/** Resolves to the file, or to its path when it cannot be read. */
function fileOf(entry: FileSystemFileEntry, folder: string): Promise<Found | string> {
  const path = `${folder}/${entry.name}`;
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve({ file, path }),
      () => resolve(path),
    ),
  );
}
