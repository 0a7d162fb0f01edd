import { rootIdOf } from '../blob-id.ts';
import type { NamedBlob } from '../contents/table.ts';
import type { StoredBlob } from '../ports/blobs.ts';
import { repairBlob } from './blob-repair.ts';
import type { CheckDeps, CheckOptions } from './check-deps.ts';
import { compareBlobs, isNamed } from './compare-blobs.ts';
import { noteDamage } from './note-damage.ts';
import type { StoreProblem } from './problem.ts';

/** Younger bytes without a row may belong to an upload under way, or to a request that a bucket carries out late. */
const leastAgeMs = 3_600_000;

/** From this number on, a store with more strangers than other blobs looks like that of another database. */
const suspiciousCount = 100;

/** Ids in one query. */
const batchSize = 100;

type Deps = Pick<CheckDeps, 'metadata' | 'sources'>;

interface Differences {
  readonly lost: NamedBlob[];
  readonly resized: Array<{ readonly named: NamedBlob; readonly stored: StoredBlob }>;
  readonly strangers: StoredBlob[];
  count: number;
  encrypted: number;
}

/** Finds blobs without bytes, with too few or too many of them, and bytes without a row. */
export async function checkBlobs(
  deps: Deps,
  options: Pick<CheckOptions, 'repairs' | 'signal' | 'onStep'>,
): Promise<{ readonly problems: StoreProblem[]; readonly count: number; readonly encrypted: number }> {
  const found = await differences(deps, options);
  const problems: StoreProblem[] = [];
  for (const named of found.lost) {
    const detail = `The store lacks the bytes of the blob ${named.blobId}.`;
    const problem = await settle(deps, named, { kind: 'missing-bytes', detail }, options);
    if (problem) problems.push(problem);
  }
  for (const { named, stored } of found.resized) {
    const detail = `The blob ${named.blobId} has ${stored.sizeBytes} bytes, but its row says ${named.sizeBytes}.`;
    const problem = await settle(deps, named, { kind: 'wrong-size', detail }, options);
    if (problem) problems.push(problem);
  }
  problems.push(...(await settleStrangers(deps, found, options)));
  return { problems, count: found.count, encrypted: found.encrypted };
}

async function differences(
  { metadata, sources }: Deps,
  { signal, onStep }: Pick<CheckOptions, 'signal' | 'onStep'>,
): Promise<Differences> {
  const found: Differences = { lost: [], resized: [], strangers: [], count: 0, encrypted: 0 };
  const onBlob = ({ blobId }: StoredBlob): void => {
    signal.throwIfAborted();
    found.count += 1;
    if (rootIdOf(blobId) !== undefined) found.encrypted += 1;
    onStep({ doing: 'comparing files with rows', done: found.count });
  };
  for await (const { named, stored } of compareBlobs(metadata.read.contents, sources.blobs, onBlob)) {
    if (named && stored) found.resized.push({ named, stored });
    else if (named) found.lost.push(named);
    else if (stored.ageMs >= leastAgeMs) found.strangers.push(stored);
  }
  return found;
}

/** Looks again, because the row or the bytes may have come or gone meanwhile. Repairs the blob if that is requested. */
async function settle(
  { metadata, sources }: Deps,
  named: NamedBlob,
  { kind, detail }: Pick<StoreProblem, 'kind' | 'detail'>,
  { repairs, signal }: Pick<CheckOptions, 'repairs' | 'signal'>,
): Promise<StoreProblem | undefined> {
  signal.throwIfAborted();
  if (kind === 'missing-bytes' && (await hasBytes(sources, named.blobId))) return undefined;
  if (!(await isNamed(metadata.read.contents, named.blobId))) return undefined;
  const contents = await metadata.read.storeCheck.contentsOfBlob(named.blobId);
  for (const contentId of contents) await noteDamage({ metadata }, contentId, true);
  const repair = repairs ? await repairBlob(sources, named, signal) : null;
  if (repair !== null) for (const contentId of contents) await noteDamage({ metadata }, contentId, false);
  return { kind, subject: named.blobId, detail, repair };
}

async function hasBytes({ blobs }: CheckDeps['sources'], blobId: string): Promise<boolean> {
  return blobs.open(blobId, { start: 0, end: 0 }).then(
    (bytes) => {
      bytes.destroy();
      return true;
    },
    () => false,
  );
}

async function settleStrangers(
  { metadata, sources }: Deps,
  { strangers, count }: Differences,
  { repairs, signal }: Pick<CheckOptions, 'repairs' | 'signal'>,
): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  // This may be the store of another database, whose files these are.
  const isSuspicious = strangers.length >= suspiciousCount && 2 * strangers.length > count;
  for (let at = 0; at < strangers.length; at += batchSize) {
    signal.throwIfAborted();
    const batch = strangers.slice(at, at + batchSize).map(({ blobId }) => blobId);
    for (const blobId of await metadata.read.contents.unnamed(batch)) {
      if (repairs && !isSuspicious) await sources.quarantine.put(blobId);
      const repair = repairs && !isSuspicious ? 'moved to the quarantine, where it is kept for 24 hours' : null;
      const why = isSuspicious ? ' Most blobs have none: is this the right database?' : '';
      problems.push({
        kind: 'bytes-without-row',
        subject: blobId,
        detail: `No row names the blob ${blobId}.${why}`,
        repair,
      });
    }
  }
  return problems;
}
