import { requireActivePlan } from '#server/domain/access/require-sender.ts';
import type { Account } from '#server/domain/account/account.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { withSpace, type Yielding } from '#server/features/files/give-way.ts';
import { suffixOfForeignKey } from '#server/features/files/key.ts';
import { findLive, type StoredObject } from '#server/features/files/object.ts';
import { placeCopy } from '#server/features/files/copy/place-copy.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { fileOf } from '#server/features/files/trash-table.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { requireAllowed } from '#server/features/rules/require-rule.ts';
import { ruleFor } from '#server/features/rules/rule.ts';
import { S3Refusal } from './s3-refusal.ts';
import { currentVersion, findS3Version } from './versions.ts';
import { writtenRow, type S3Writing } from './s3-writing.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { requireS3Conditions } from './require-conditions.ts';

interface Deps {
  readonly metadata: Metadata<FileTables | 'rules'>;
  readonly ids: Ids;
}

/** The file that is copied, or one of its versions. */
export interface CopySource extends ObjectAddress {
  /** Undefined for the current one. */
  readonly versionId?: string;
}

export interface CopyS3Object {
  readonly account: Account;
  readonly source: CopySource;
  readonly target: ObjectAddress;
  /** The headers and metadata of the copy. Undefined keeps the source's. */
  readonly writing: S3Writing | undefined;
  /** The checksum of the copy, and the content that it was made of. Undefined keeps the source's. */
  readonly checksum: { readonly contentId: string; readonly value: Checksum } | undefined;
  /** Throws if a condition on the source does not hold. */
  readonly requireSource: (source: StoredObject) => void;
  readonly conditions: WriteConditions;
  readonly actor: Actor;
  /** Undefined if nothing gives way to the copy. */
  readonly yielding?: Yielding | undefined;
}

/** A copy, and the file or version that it was made of. */
interface CopiedObject {
  readonly object: StoredObject;
  readonly source: StoredObject;
}

/**
 * Copies a file. A copy onto itself replaces its headers. It writes only rows, and the bytes stay where they are.
 *
 * @throws PERMISSION_DENIED, NoSuchKey, PreconditionFailed, STORAGE_QUOTA_EXCEEDED
 * @throws InvalidRequest for a copy onto itself that changes nothing
 * @throws FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE if the rule of its prefix takes no such files
 */
export async function copyS3Object({ metadata, ids }: Deps, command: CopyS3Object): Promise<CopiedObject> {
  const { account, source, target, writing } = command;
  requireActivePlan(account);
  if (
    writing === undefined &&
    (source.versionId ?? currentVersion) === currentVersion &&
    source.space === target.space &&
    source.key === target.key
  ) {
    throw new S3Refusal('InvalidRequest', {
      message:
        'This copy request is illegal because it is trying to copy an object to itself without changing its ' +
        'metadata. Send x-amz-metadata-directive: REPLACE.',
    });
  }
  return withSpace({ metadata }, command.yielding, (makeSpace) =>
    metadata.atomically(
      async (tx) => {
        await makeSpace(tx);
        return copyRow(tx, ids, command);
      },
      { account: account.id },
    ),
  );
}

async function copyRow(
  tx: Transaction<FileTables | 'rules'>,
  ids: Ids,
  { account, source: address, target, writing, checksum, requireSource, conditions, actor }: CopyS3Object,
): Promise<CopiedObject> {
  const source = await findSource(tx, address);
  requireSource(source);
  if (checksum && checksum.contentId !== source.contentId)
    throw new S3Refusal('PreconditionFailed', { message: 'The source was replaced while it was read. Copy it again.' });
  await requireS3Conditions(tx, target, conditions);
  const isSamePlace = source.space === target.space && source.key === target.key;
  const suffix = isSamePlace ? source.suffix : suffixOfForeignKey(target.key);
  // The rule does not apply, because a change of headers adds no file.
  if (!isSamePlace)
    requireAllowed(ruleFor(await tx.rules.listOf(account.id), target.key), suffix.extension, source.sizeBytes);
  const written = {
    ...source,
    ...target,
    suffix,
    ...(writing && writtenRow(writing, source.clientProperties?.checksum)),
  };
  const row = checksum
    ? { ...written, clientProperties: { ...written.clientProperties, checksum: checksum.value } }
    : written;
  const { object } = await placeCopy(tx, ids, { source, row, isMove: false, mayReplace: () => true, actor });
  return { object, source };
}

/** @throws NoSuchKey, NoSuchVersion, InvalidRequest for a delete marker */
async function findSource(
  tx: Transaction<'objects' | 'trash'>,
  { versionId = currentVersion, ...address }: CopySource,
): Promise<StoredObject> {
  if (versionId === currentVersion) {
    const source = await findLive(tx.objects, address, tx.now);
    if (!source) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
    return source;
  }
  const found = await findS3Version(tx, address, versionId, tx.now);
  if (!found) throw new S3Refusal('NoSuchVersion', { details: { Key: address.key, VersionId: versionId } });
  if (found.kind === 'marker')
    throw new S3Refusal('InvalidRequest', {
      message: 'The source of a copy request may not specifically refer to a delete marker by version id.',
    });
  return found.kind === 'kept' ? fileOf(found.object) : found.object;
}
