import type { Account } from '../account/account.ts';
import { removeObject } from '../objects/delete-objects.ts';
import { FileRefused, readChanges } from '../objects/object-changes.ts';
import { isExpired } from '../objects/object.ts';
import { placeCopy } from '../objects/place-copy.ts';
import type { FileTables } from '../objects/table.ts';
import { updateRow } from '../objects/update-objects.ts';
import { isKey } from '../object-id.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { requireAllowed } from '../rules/require-rule.ts';
import { ruleFor, type Rule } from '../rules/rule.ts';
import { purgeVersion } from '../objects/purge-version.ts';
import { restoreVersion } from '../trash/restore-versions.ts';
import type { FolderJob } from './folder-job.ts';
import type { FolderItem } from './folder-step.ts';
import { changesOf } from './manage-folder-jobs.ts';

export interface ItemContext {
  readonly ids: Ids;
  readonly account: Account;
  readonly rules: readonly Rule[];
}

/**
 * Does the work of a job on one file. Returns the code if it cannot be done; the transaction then holds no write of it,
 * because every refusal comes before the first write. Returns false if the file is gone or was changed since the job
 * began.
 */
export async function changeItem(
  tx: Transaction<FileTables>,
  context: ItemContext,
  job: FolderJob,
  item: FolderItem,
): Promise<boolean | string> {
  try {
    return item.versionId === undefined
      ? await changeFile(tx, context, job, item)
      : await changeVersion(tx, context, job, item.versionId);
  } catch (error) {
    if (error instanceof Refusal || error instanceof FileRefused) return error.code;
    throw error;
  }
}

async function changeVersion(
  tx: Transaction<FileTables>,
  { ids }: ItemContext,
  { accountId, action, createdAt, choices: { actor } }: FolderJob,
  versionId: string,
): Promise<boolean> {
  const version = await tx.trash.find(accountId, versionId);
  if (!version || version.deletedAt > createdAt || version.purgeAt <= tx.now) return false;
  if (action === 'purge') await purgeVersion(tx, version, actor);
  else await restoreVersion(tx, ids, version, { mayReplace: false, actor });
  return true;
}

async function changeFile(
  tx: Transaction<FileTables>,
  context: ItemContext,
  job: FolderJob,
  { accountId, space, key }: FolderItem,
): Promise<boolean> {
  const address = { accountId, space, key };
  const source = await tx.objects.find(address);
  if (!source || source.createdAt > job.createdAt || isExpired(source, tx.now)) return false;
  const { ids, account, rules } = context;
  const { action, prefix, destination, choices } = job;
  const { actor, overwrite } = choices;
  if (action === 'delete') return removeObject(tx, address, actor);
  if (action === 'update') {
    await updateRow(tx, ids, account, address, readChanges(account, changesOf(choices)), actor);
    return true;
  }
  const target = `${destination}/${key.slice(prefix.length + 1)}`;
  if (!isKey(target)) throw new Refusal('INVALID_OBJECT_NAME');
  requireAllowed(ruleFor(rules, target), source.suffix.extension, source.sizeBytes);
  const row = { ...source, space: space === 'private' ? space : ('public' as const), key: target };
  await placeCopy(tx, ids, { source, row, isMove: action === 'move', mayReplace: overwrite, actor });
  return true;
}
