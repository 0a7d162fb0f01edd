/** A file with its path in the folder it came with: `Holiday/2026/beach.jpg`, or its name alone. */
export interface Found {
  readonly file: File;
  readonly path: string;
}

/** What a drop, a paste or a dialog brings. */
export interface Brought {
  readonly files: readonly Found[];
  readonly folders: readonly FileSystemDirectoryEntry[];
}

/** One piece of a folder: what was read, and the paths of what was not. */
export interface FolderPiece {
  readonly files: readonly Found[];
  readonly hidden: readonly string[];
  readonly unreadable: readonly string[];
}

/** What systems put into folders, beside names that begin with a dot. */
const leftBySystems = /^(thumbs\.db|desktop\.ini|\$recycle\.bin|system volume information|__macosx|icon\r)$/i;

/** Whether a file or folder is one that people do not see, and do not mean when they upload a folder. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || leftBySystems.test(name);
}

/** Has to be called while the event runs: the entries are gone afterwards. */
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

/** A chosen folder comes as a list of files that know their paths. */
export function withPath(file: File): Found {
  return { file, path: file.webkitRelativePath || file.name };
}

/** Reads a folder with all that is below it, piece by piece, so that the page goes on meanwhile. Hidden folders are not looked into. */
export async function* walkFolder(
  folder: FileSystemDirectoryEntry,
  showHidden: boolean,
  path = folder.name,
): AsyncGenerator<FolderPiece> {
  const reader = folder.createReader();
  for (;;) {
    // A hundred at a time, until none is left.
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

/** The file, or its path when it cannot be read. */
function fileOf(entry: FileSystemFileEntry, folder: string): Promise<Found | string> {
  const path = `${folder}/${entry.name}`;
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve({ file, path }),
      () => resolve(path),
    ),
  );
}
