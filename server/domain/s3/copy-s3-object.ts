import { requireActivePlan } from '../access/require-sender.ts';
import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import type { ObjectAddress } from '../object-id.ts';
import { endingOfForeignKey } from '../objects/key.ts';
import { isExpired, type StoredObject } from '../objects/object.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { requireExtension, requireSize } from '../rules/require-rule.ts';
import { ruleFor } from '../rules/rule.ts';
import type { Checksum } from '../checksums/algorithms.ts';
import { S3Refusal } from './s3-refusal.ts';
import { writtenRow, type S3Writing } from './s3-writing.ts';
import { requireConditions, type WriteConditions } from './write-conditions.ts';
import { placeCopy } from '../objects/place-copy.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'contents' | 'objects' | 'rules'>;
  readonly ids: Ids;
}

export interface CopyS3Object {
  readonly account: Account;
  readonly source: ObjectAddress;
  readonly target: ObjectAddress;
  /** What the copy has in place of what the source has; undefined keeps it. */
  readonly writing: S3Writing | undefined;
  /** A checksum that the copy is to have, which was made of this content; undefined keeps the source's. */
  readonly checksum: { readonly contentId: string; readonly value: Checksum } | undefined;
  /** Throws where a condition on the source does not hold. */
  readonly requireSource: (source: StoredObject) => void;
  readonly conditions: WriteConditions;
  readonly actor: Actor;
}

/**
 * Copies a file, or sets its headers anew where it is copied onto itself. Only rows are written: the bytes stay where
 * they are, whatever their size.
 *
 * @throws PERMISSION_DENIED, NoSuchKey, InvalidRequest for a copy onto itself that changes nothing,
 *   STORAGE_QUOTA_EXCEEDED,
 *   PreconditionFailed, and FILE_TYPE_NOT_ALLOWED and FILE_TOO_LARGE where the rule of its prefix takes no such files
 */
export async function copyS3Object({ metadata, ids }: Deps, command: CopyS3Object): Promise<StoredObject> {
  const { account, source, target, writing } = command;
  requireActivePlan(account);
  if (writing === undefined && source.space === target.space && source.key === target.key) {
    throw new S3Refusal('InvalidRequest', {
      message:
        'This copy request is illegal because it is trying to copy an object to itself without changing its metadata. Send x-amz-metadata-directive: REPLACE.',
    });
  }
  return metadata.atomically((tx) => copyRow(tx, ids, command));
}

async function copyRow(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'objects' | 'rules'>,
  ids: Ids,
  { account, source: address, target, writing, checksum, requireSource, conditions, actor }: CopyS3Object,
): Promise<StoredObject> {
  const source = await tx.objects.find(address);
  if (!source || isExpired(source, tx.now)) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
  requireSource(source);
  if (checksum && checksum.contentId !== source.contentId)
    throw new S3Refusal('PreconditionFailed', { message: 'The source was replaced while it was read. Copy it again.' });
  await requireConditions(tx, target, conditions);
  const existing = await tx.objects.find(target);
  const isSamePlace = source.space === target.space && source.key === target.key;
  const ending = isSamePlace ? source.ending : endingOfForeignKey(target.key);
  // Nothing comes under the rule by new headers alone.
  const rule = isSamePlace ? undefined : ruleFor(await tx.rules.listOf(account.id), target.key);
  if (rule) requireExtension(rule, ending.extension.toLowerCase());
  if (rule) requireSize(rule, source.sizeBytes);
  const written = {
    ...source,
    ...target,
    ending,
    ...(writing && writtenRow(writing, source.clientProperties?.checksum)),
  };
  const clientProperties = checksum
    ? { ...written.clientProperties, checksum: checksum.value }
    : written.clientProperties;
  const row = { ...written, clientProperties };
  const { object } = await placeCopy(tx, ids, { source, row, existing, isMove: false, actor });
  return object;
}
