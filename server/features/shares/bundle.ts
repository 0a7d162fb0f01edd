import { inSteps } from '#server/domain/in-steps.ts';
import { nextTurn } from '#server/event-loop.ts';
import { maxBundleFiles } from './limits.ts';
import { spaces, type ObjectAddress, type Space } from '#server/domain/object-id.ts';
import { isExpired } from '#server/features/files/object.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { safePath, uniquePaths } from './safe-names.ts';
import type { BundleFile } from './bundle-table.ts';
import type { BundleKind, Share } from './share.ts';

interface Deps {
  readonly metadata: Reads<'bundles'>;
  readonly clock: Clock;
}

/** The part of a link that says which files it leads to. */
type BundleOf = Pick<Share, 'idHash' | 'object' | 'bundle'>;

/** A file of a bundle under the name that visitors see. */
export interface NamedFile extends BundleFile {
  /** Its path in the archive. That of a folder without files ends in a slash. */
  readonly path: string;
}

/** Rows that are read before other requests run. */
const rowsAtOnce = 1000;

/**
 * Returns the files that a bundle leads to now: those of a list in their order, those of a folder by key.
 *
 * @throws BUNDLE_TOO_LARGE
 */
export async function bundleFiles({ metadata, clock }: Deps, share: BundleOf): Promise<readonly NamedFile[]> {
  const { bundles } = metadata.read;
  const found =
    share.bundle === 'files' ? await bundles.filesOf(share.idHash) : await folderFiles(bundles, share.object);
  const now = clock.now();
  const files = found.filter((file) => !isExpired(file, now));
  const paths: string[] = [];
  for (const [at, file] of files.entries()) {
    if (at % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
    paths.push(safePath(pathOf(file, share.object.key.length)));
  }
  const unique = await uniquePaths(paths);
  return files.map((file, at) => ({ ...file, path: unique[at]! }));
}

/** Checks that a link may lead to a folder. @throws BUNDLE_TOO_LARGE */
export async function requireBundleSize({ metadata }: Pick<Deps, 'metadata'>, folder: ObjectAddress): Promise<void> {
  await folderFiles(metadata.read.bundles, folder);
}

async function folderFiles(
  bundles: Reads<'bundles'>['read']['bundles'],
  { accountId, key: folder }: ObjectAddress,
): Promise<BundleFile[]> {
  const files: BundleFile[] = [];
  for (const space of spaces) {
    const steps = inSteps<BundleFile>(rowsAtOnce, async (last, limit) => {
      if (last) await nextTurn();
      return bundles.filesIn({ accountId, space, folder, behind: last?.key, limit });
    });
    for await (const rows of steps) {
      files.push(...rows);
      if (files.length > maxBundleFiles) throw new Refusal('BUNDLE_TOO_LARGE');
    }
  }
  return files.sort(byKey);
}

/** Files with the same key in several spaces need a fixed order, or equal files would give different archives. */
function byKey(one: BundleFile, other: BundleFile): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.space < other.space ? -1 : 1;
}

/** Returns the path of a file below the folder of its bundle, with the name that it was uploaded under. */
function pathOf({ key, originalName, sizeBytes }: BundleFile, folderLength: number): string {
  const path = key.slice(folderLength);
  // Programs mark a folder with an empty file whose key ends in a slash.
  if (path.endsWith('/')) return sizeBytes === 0 ? path : path.slice(0, -1);
  // A name from an upload is one name, so a slash in it leads into no folder.
  return originalName ? path.slice(0, path.lastIndexOf('/') + 1) + originalName.replaceAll('/', '_') : path;
}

/** Whether an entry of a bundle is a file, and not the mark of a folder. */
export function isFileOfBundle({ path }: Pick<NamedFile, 'path'>): boolean {
  return path !== '' && !path.endsWith('/');
}

/** Returns the folder that holds all of these keys, with its slash, or an empty text. */
export function commonFolder(keys: readonly string[]): string {
  let common = keys[0] ?? '';
  for (const key of keys) {
    let length = 0;
    while (length < common.length && common[length] === key[length]) length++;
    common = common.slice(0, length);
  }
  return common.slice(0, common.lastIndexOf('/') + 1);
}

const spaceNames: Readonly<Record<Space, string>> = { public: 'pub', private: 'prv', legacy: 'old' };

/** Returns the name of a file in the addresses of its bundle. It stays the same while the file is there. */
export function placeOf({ number, space, key }: BundleFile, folder: string): string {
  return number === null ? `${spaceNames[space]}/${key.slice(folder.length)}` : String(number);
}

/**
 * Finds the address or the number that {@link placeOf} has named. Undefined if it can name none. Another folder's file
 * cannot be named, because the folder is put before the key.
 */
export function parsePlace(
  place: string,
  { accountId, key: folder }: ObjectAddress,
  bundle: BundleKind,
): ObjectAddress | number | undefined {
  if (bundle === 'files') return /^[1-9]\d{0,3}$/.test(place) ? Number(place) : undefined;
  const slash = place.indexOf('/');
  const space = spaces.find((one) => spaceNames[one] === place.slice(0, Math.max(slash, 0)));
  const path = place.slice(slash + 1);
  return space === undefined || path === '' ? undefined : { accountId, space, key: folder + path };
}
