import type { RefusalReason, Limits } from './limits.ts';
import { refusalOf } from './limits.ts';
import { isHidden, walkFolder, type Brought, type Found } from './found-files.ts';

/** The parts of the element that `takeIn` needs. */
interface IntakeOptions {
  limits(): Limits;
  /** The listed files that count towards the limits. */
  listed(): { readonly files: number; readonly bytes: number };
  takesFolders(): boolean;
  showsHidden(): boolean;
  /** Asks the page whether it accepts the file. */
  isWanted(found: Found): boolean;
  take(files: readonly Found[]): void;
  /** Called after each batch. `isOver` is true with the last one. */
  tell(found: Takings, isOver: boolean): void;
}

/** The result of one drop, paste or choice. */
export interface Takings {
  readonly taken: number;
  /** Up to 100 files and paths for each reason, and how many there were. */
  readonly refused: ReadonlyMap<
    RefusalReason,
    { readonly files: readonly Found[]; readonly paths: readonly string[]; readonly count: number }
  >;
}

interface Refused {
  readonly files: Found[];
  readonly paths: string[];
  count: number;
}

/** Checks files and adds the accepted ones to the list. Nothing is sent yet. */
export async function takeIn({ files, folders }: Brought, options: IntakeOptions, signal: AbortSignal): Promise<void> {
  const takings = { taken: 0, refused: new Map<RefusalReason, Refused>() };
  const refuse = (reason: RefusalReason, path: string, found?: Found) => {
    const those = takings.refused.get(reason) ?? { files: [], paths: [], count: 0 };
    takings.refused.set(reason, those);
    those.count++;
    if (those.paths.length < 100) those.paths.push(path);
    if (found && those.files.length < 100) those.files.push(found);
  };
  const takePiece = (piece: readonly Found[]) => {
    const limits = options.limits();
    const { files: listed, bytes: listedBytes } = options.listed();
    const taken: Found[] = [];
    let bytes = listedBytes;
    for (const found of piece) {
      // A chosen folder includes its hidden files. A single hidden file was chosen on purpose.
      const isInside = found.path.includes('/') && found.path.split('/').some(isHidden);
      const reason =
        isInside && !options.showsHidden()
          ? 'hidden'
          : (refusalOf(found.file, limits, { files: listed + taken.length, bytes }) ??
            (options.isWanted(found) ? undefined : 'page'));
      if (reason) refuse(reason, found.path, found);
      else {
        taken.push(found);
        bytes += found.file.size;
      }
    }
    takings.taken += taken.length;
    if (taken.length > 0) options.take(taken);
  };
  takePiece(files);
  if (!options.takesFolders()) for (const { name } of folders) refuse('folder', name);
  const open = options.takesFolders() ? folders : [];
  options.tell(takings, open.length === 0);
  for (const folder of open) {
    let isEmpty = true;
    for await (const { files: piece, hidden, unreadable } of walkFolder(folder, options.showsHidden())) {
      if (signal.aborted) return;
      isEmpty &&= piece.length + hidden.length + unreadable.length === 0;
      for (const path of hidden) refuse('hidden', path);
      for (const path of unreadable) refuse('unreadable', path);
      takePiece(piece);
      options.tell(takings, false);
      // The rest would be rejected too.
      if (takings.refused.has('count')) break;
    }
    if (isEmpty) refuse('empty', folder.name);
  }
  if (open.length > 0) options.tell(takings, true);
}
