import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { bundleArchive, type BundleArchive } from './bundle-archive.ts';
import { bundleFiles, isFileOfBundle } from './bundle.ts';
import type { Share } from './share.ts';

/**
 * A cache of archives that were laid out. The key contains the account's revision, so an archive is not found after a
 * change to the account's files.
 */
export interface ArchiveCache {
  get(key: string, now: number): BundleArchive | undefined;
  /** @param goodUntil the archive is not returned from this instant on */
  set(key: string, archive: BundleArchive, goodUntil: number): void;
}

interface Deps {
  readonly metadata: Reads<'accounts' | 'bundles'>;
  readonly clock: Clock;
  readonly archives: ArchiveCache;
}

/**
 * Returns the archive of a bundle as its files are now. It reads them only if the account's files have changed since
 * the last request, so a `HEAD`, a revalidation or one range costs no walk over the folder.
 *
 * @throws BUNDLE_EMPTY, BUNDLE_TOO_LARGE
 */
export async function currentArchive(deps: Deps, share: Share): Promise<BundleArchive> {
  const { metadata, clock, archives } = deps;
  const account = await metadata.read.accounts.find(share.object.accountId);
  const key = `${share.idHash} ${account?.revision}`;
  const known = archives.get(key, clock.now());
  if (known) return known;
  const files = await bundleFiles(deps, share);
  if (!files.some(isFileOfBundle)) throw new Refusal('BUNDLE_EMPTY');
  const archive = await bundleArchive(files);
  const goodUntil = files.reduce((least, { expiresAt }) => Math.min(least, expiresAt ?? Infinity), Infinity);
  archives.set(key, archive, goodUntil);
  return archive;
}
