import { hashOf } from '../backup/copy-verified.ts';
import type { Content } from '../contents/table.ts';
import { repairBlob } from './blob-repair.ts';
import type { CheckDeps, CheckOptions } from './check-deps.ts';
import { isNamed, namedBlobs } from './compare-blobs.ts';
import { repairInline } from './inline-repair.ts';
import { noteDamage } from './note-damage.ts';
import type { StoreProblem } from './problem.ts';
import type { HashedContent } from './table.ts';
import { verifyContent } from './verify-content.ts';

const pageRows = 500;

/** What to do about damaged bytes that no backup brings back. */
const inRow =
  'Its bytes are in the database: repair it with a backup that has the database (--repair --from BACKUP), or ' +
  'store the file anew.';

type Deps = Pick<CheckDeps, 'metadata' | 'sources'>;

/**
 * Reads all bytes and compares them with the hashes of their rows: files as a whole, parts of open uploads one by one.
 *
 * @param known ids of blobs that are a problem already
 */
export async function checkBytes(
  { metadata, sources }: Deps,
  { repairs, signal, onStep }: Pick<CheckOptions, 'repairs' | 'signal' | 'onStep'>,
  known: ReadonlySet<string>,
): Promise<{ readonly problems: StoreProblem[]; readonly contents: number; readonly bytes: number }> {
  const problems: StoreProblem[] = [];
  const total = (await metadata.read.accounts.list()).reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  let [bytes, contents] = [0, 0];
  const mayBeNoted = (await metadata.read.storeCheck.damagedCount()) > 0;
  const onBytes = (count: number): void => {
    bytes += count;
    onStep({ doing: 'reading files', done: bytes, total });
  };
  for (let last = ''; ;) {
    const page = await metadata.read.storeCheck.hashed(last, pageRows);
    if (page.length === 0) break;
    for (const hashed of page) {
      contents += 1;
      const checked = await checkContent({ metadata, sources }, hashed, { repairs, signal, onBytes, mayBeNoted });
      if (checked && !checked.blobIds.some((id) => known.has(id))) problems.push(checked.problem);
    }
    last = page.at(-1)!.contentId;
  }
  problems.push(...(await checkParts({ metadata, sources }, { repairs, signal }, known)));
  return { problems, contents, bytes };
}

/** Reads one content, repairs it if that is requested, and notes the result. */
export async function checkContent(
  { metadata, sources }: Deps,
  hashed: HashedContent,
  options: {
    readonly repairs: boolean;
    readonly signal: AbortSignal;
    readonly onBytes: (bytes: number) => Promise<void> | void;
    /** Whether the content may be noted as damaged, so that a whole one has to be crossed out. */
    readonly mayBeNoted: boolean;
  },
): Promise<{ readonly problem: StoreProblem; readonly blobIds: readonly string[] } | undefined> {
  const deps = { metadata, blobs: sources.blobs, ...options };
  const { contentId } = hashed;
  const note = (isDamaged: boolean) => noteDamage({ metadata }, contentId, isDamaged);
  const verified = await verifyContent(deps, hashed);
  if (verified.isWhole) {
    if (options.mayBeNoted) await note(false);
    return undefined;
  }
  const { content, why } = verified;
  await note(true);
  let repair: string | null = null;
  if (options.repairs) {
    repair = await repairContent({ metadata, sources }, content, hashed, options.signal);
    if (repair !== null && !(await verifyContent(deps, hashed)).isWhole) repair = null;
  }
  if (repair !== null) await note(false);
  const files = await metadata.read.storeCheck.filesOf(contentId);
  const named = files.slice(0, 3).map(({ accountId, key }) => `${key} of account ${accountId}`);
  const hint = content.blobs.some(({ inline }) => inline) ? ` ${inRow}` : '';
  const detail =
    `The content ${contentId} is damaged, because ${why}. Its files: ` +
    `${named.join(', ') || 'none'}${files.length > 3 ? ' …' : ''}.${repair === null ? hint : ''}`;
  const blobIds = content.blobs.map(({ blobId }) => blobId);
  return { problem: { kind: 'damaged-bytes', subject: contentId, detail, repair }, blobIds };
}

/** Brings back each blob of a content whose bytes are not those that the backup has. */
async function repairContent(
  deps: Deps,
  { blobs }: Content,
  { contentId, sha256 }: HashedContent,
  signal: AbortSignal,
): Promise<string | null> {
  const { sources } = deps;
  let repaired: string | null = null;
  for (const { blobId, sizeBytes, inline } of blobs) {
    const known = blobs.length === 1 ? sha256 : null;
    if (inline) {
      repaired = (await repairInline(deps, { contentId, blobId, sizeBytes, sha256: known }, inline)) ?? repaired;
      continue;
    }
    repaired = (await repairBlob(sources, { blobId, sizeBytes, sha256: known, md5: null }, signal)) ?? repaired;
  }
  return repaired;
}

/** The hash of a part is in its own row until the upload is complete. */
async function checkParts(
  { metadata, sources }: Deps,
  { repairs, signal }: Pick<CheckOptions, 'repairs' | 'signal'>,
  known: ReadonlySet<string>,
): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for await (const blob of namedBlobs(metadata.read.contents)) {
    signal.throwIfAborted();
    const { blobId, md5 } = blob;
    if (md5 === null || known.has(blobId) || (await hashOf(sources.blobs, blobId, 'md5')) === md5) continue;
    if (!(await isNamed(metadata.read.contents, blobId))) continue;
    const repair = repairs ? await repairBlob(sources, blob, signal) : null;
    const detail =
      `The part ${blobId} of an open upload is damaged: the MD5 of its bytes is another ` + 'than that of its row.';
    problems.push({ kind: 'damaged-bytes', subject: blobId, detail, repair });
  }
  return problems;
}
