import { requireActivePlan } from '#server/domain/access/require-sender.ts';
import type { Account } from '#server/domain/account/account.ts';
import { isClosed } from '#server/domain/account/closed-account.ts';
import { QuotaExceeded } from '#server/domain/account/quota.ts';
import { isFarFromQuota } from '#server/domain/account/quota-event.ts';
import { readExpire } from '#server/domain/file-options.ts';
import { together } from '#server/domain/in-sets.ts';
import { spaceOfCopy } from '#server/features/files/copy/copy-destination.ts';
import { removeObject } from '#server/features/files/deletion/delete-objects.ts';
import type { WrittenChange } from '#server/features/files/update/hidden-change.ts';
import { withHash } from '#server/features/files/key.ts';
import { FileRefused, readChanges } from '#server/features/files/update/object-changes.ts';
import { isExpired, type StoredObject } from '#server/features/files/object.ts';
import { placeCopy } from '#server/features/files/copy/place-copy.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { namesForUpdate, updateRow } from '#server/features/files/update/update-objects.ts';
import { isKey } from '#server/domain/object-id.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireAllowed } from '#server/features/rules/require-rule.ts';
import { ruleFor, type Rule } from '#server/features/rules/rule.ts';
import { purgeVersion, requirePurgeable } from '#server/features/files/purge-version.ts';
import { restoreVersion } from '#server/features/trash/restore-versions.ts';
import type { FolderJob } from './folder-job.ts';
import type { FolderItem } from './folder-step.ts';
import { changesOf } from './manage-folder-jobs.ts';

interface ItemContext {
  readonly ids: Ids;
  readonly account: Account;
  readonly rules: readonly Rule[];
}

/**
 * What became of a file: its change, if it has one; a code if it cannot be changed; `left` if it is gone or was changed
 * since the job began.
 */
type ItemOutcome =
  | { readonly kind: 'done'; readonly change?: WrittenChange }
  | { readonly kind: 'failed'; readonly code: string; readonly shortage?: QuotaExceeded }
  | { readonly kind: 'left' };

const done: ItemOutcome = { kind: 'done' };
const left: ItemOutcome = { kind: 'left' };

/**
 * Does the work of a job on one file, as the single operation does it. A refusal leaves no write behind, because every
 * check comes before the first write.
 */
export async function changeItem(
  tx: Transaction<FileTables>,
  context: ItemContext,
  job: FolderJob,
  item: FolderItem,
): Promise<ItemOutcome> {
  try {
    if (isClosed(context.account)) throw new Refusal('ACCOUNT_SUSPENDED');
    return item.versionId === undefined
      ? await changeFile(tx, context, job, item)
      : await changeVersion(tx, context, job, item.versionId);
  } catch (error) {
    if (error instanceof QuotaExceeded) return { kind: 'failed', code: error.code, shortage: error };
    if (error instanceof Refusal || error instanceof FileRefused) return { kind: 'failed', code: error.code };
    throw error;
  }
}

/**
 * Returns the names that the files of a step have in `together()`. Undefined if none depends on another. All of them are
 * in one space, so each is restored to an address of its own, and moved or copied to one in another folder.
 */
export async function namesOfItems(
  tx: Transaction<FileTables>,
  { ids, account }: ItemContext,
  { action, choices }: FolderJob,
  items: readonly FolderItem[],
): Promise<((item: FolderItem) => string) | undefined> {
  if (action === 'update') {
    const changes = { ...changesOf(choices), expire: readExpire(choices.expire) };
    return namesForUpdate(tx, ids, items, { account, changes });
  }
  if (action !== 'copy') return undefined;
  // Only near the quota does it matter which copy comes first.
  const sources = await together(items, (item) => tx.objects.find(item));
  const bytes = sources.reduce((sum, source) => sum + (source?.sizeBytes ?? 0), 0);
  return isFarFromQuota(account, bytes) ? undefined : () => '';
}

async function changeVersion(
  tx: Transaction<FileTables>,
  { ids }: ItemContext,
  { accountId, action, createdAt, choices: { actor, mayPurgeKept } }: FolderJob,
  versionId: string,
): Promise<ItemOutcome> {
  const version = await tx.trash.find(accountId, versionId);
  if (!version || version.deletedAt > createdAt || version.purgeAt <= tx.now) return left;
  if (action === 'purge') {
    requirePurgeable(version, tx.now, mayPurgeKept !== undefined);
    await purgeVersion(tx, version, actor);
  } else await restoreVersion(tx, ids, version, { mayReplace: false, actor });
  return done;
}

async function changeFile(
  tx: Transaction<FileTables>,
  { ids, account, rules }: ItemContext,
  job: FolderJob,
  { accountId, space, key }: FolderItem,
): Promise<ItemOutcome> {
  const address = { accountId, space, key };
  const source = await tx.objects.find(address);
  if (!source || source.createdAt > job.createdAt || isExpired(source, tx.now)) return left;
  const { action, choices } = job;
  const { actor, overwrite } = choices;
  if (action === 'delete')
    return (await removeObject(tx, address, actor, { keepDays: choices.keepDays ?? 0, jobId: job.id })) ? done : left;
  if (action === 'update') {
    const changes = readChanges(account, changesOf(choices));
    return { kind: 'done', change: await updateRow(tx, ids, { account, address, changes, actor }) };
  }
  requireActivePlan(account);
  const row = placeOf(source, job, rules, ids);
  if (!isKey(row.key)) throw new Refusal('INVALID_OBJECT_NAME');
  requireAllowed(ruleFor(rules, row.key), source.suffix.extension, source.sizeBytes);
  if (job.isDryRun && (await isTakenBySibling(tx, job, source, row))) throw new Refusal('OBJECT_ALREADY_EXISTS');
  const isMove = action === 'move';
  // Files that were written since the job began are not replaced.
  const mayReplace = (existing: StoredObject) => overwrite && existing.createdAt <= job.createdAt;
  const { object, sequence } = await placeCopy(tx, ids, { source, row, isMove, mayReplace, actor });
  return { kind: 'done', change: { before: source, after: object, sequence } };
}

/** Returns the row of a file at the destination of a job. The rule there makes it private, as a single move does. */
function placeOf(
  source: StoredObject,
  job: Pick<FolderJob, 'prefix' | 'destination'>,
  rules: readonly Rule[],
  ids: Pick<Ids, 'nameHash'>,
): StoredObject {
  const key = targetKey(source, job);
  const space = spaceOfCopy(source, undefined, ruleFor(rules, key));
  const row = { ...source, space, key };
  return space === 'private' && source.space !== 'private' ? withHash(row, ids) : row;
}

function targetKey(
  { key }: Pick<StoredObject, 'key'>,
  { prefix, destination }: Pick<FolderJob, 'prefix' | 'destination'>,
) {
  return `${destination}/${key.slice(prefix.length + 1)}`;
}

/**
 * Whether a job moves a public file and a legacy file of one name to one place. A dry run does not see the first one
 * there.
 */
async function isTakenBySibling(
  tx: Transaction<'objects'>,
  { createdAt }: FolderJob,
  { accountId, space, key }: StoredObject,
  row: StoredObject,
): Promise<boolean> {
  if (space !== 'legacy' || row.space !== 'public') return false;
  const sibling = await tx.objects.find({ accountId, space: 'public', key });
  return sibling !== undefined && sibling.createdAt <= createdAt && !isExpired(sibling, tx.now);
}

/** Whether a job may hide the public files among these, so that it has to wait for the CDN. */
export function mayHide(job: FolderJob, rules: readonly Rule[], items: readonly FolderItem[]): boolean {
  if (job.isDryRun || items.every(({ space }) => space === 'private')) return false;
  if (job.action === 'update') return job.choices.isPrivate === true;
  return job.action === 'move' && items.some((item) => ruleFor(rules, targetKey(item, job))?.isPrivate === true);
}
