import { mayPurgeKept } from '#server/domain/access/may-purge-kept.ts';
import { inSets, together } from '#server/domain/in-sets.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { nextTurn } from '#server/event-loop.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { deleteS3Object } from '../../delete-s3-object.ts';
import { deleteS3Version } from '../../delete-s3-version.ts';
import { currentVersion, markerIdOf } from '../../versions.ts';
import { maxS3Keys } from '../../limits.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { requireReach } from '../authorize.ts';
import { checkedBody } from '../body/checked-body.ts';
import { nodesIn, readXmlList, textIn, textOf, type XmlNode } from '../body/xml-body.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { errorElements, s3Failure } from '../errors.ts';
import { addressOf, spaceOf } from '../request.ts';
import { etagList } from '../write-headers.ts';
import { xmlReply, type XmlElements } from '../xml.ts';

interface NamedKey {
  readonly key: string;
  readonly versionId: string | undefined;
  readonly ifMatch: readonly string[] | undefined;
  /** A condition that S3 has in directory buckets alone. Ignoring it could delete a file that was to be kept. */
  readonly otherCondition: string | undefined;
}

/** DeleteObjects: up to 1000 keys, each with its own outcome. `Content-MD5` is optional. */
export const deleteObjects: S3Operation = async (context, request) => {
  const { bucket } = request;
  spaceOf(bucket);
  const list = { root: 'Delete', item: 'Object', maxItems: maxS3Keys };
  const root = await readXmlList(await textOf(context, checkedBody(request)), list);
  const keys = await readKeys(root);
  if (keys.length === 0) throw new S3Refusal('MalformedXML', { message: `Name 1 to ${maxS3Keys} keys.` });
  const isQuiet = textIn(root, 'Quiet')?.trim().toLowerCase() === 'true';
  const { metadata, caller } = context;
  const named = await Promise.all(keys.map((key) => outcomeOf(() => checked(context, bucket, key))));
  const items = named.filter((one): one is Named => !(one instanceof S3Refusal));
  const deleted = await inSets(metadata, {
    account: caller.account.id,
    items,
    work: (tx, some) =>
      together(
        some,
        (one) => outcomeOf(() => deleteOne(tx, context, one)),
        ({ address }) => formatObjectId(address),
      ),
  });
  const outcomes = new Map(items.map((item, at) => [item, deleted[at]] as const));
  return xmlReply(
    'DeleteResult',
    named.map((one, at) => elementsOf(keys[at]!, one instanceof S3Refusal ? one : outcomes.get(one), isQuiet)),
  );
};

/** Returns what the response says about a key. @param outcome its refusal, or the id of a delete marker */
function elementsOf({ key, versionId }: NamedKey, outcome: Error | string | undefined, isQuiet: boolean): XmlElements {
  const named = { Key: key, VersionId: versionId || undefined };
  if (outcome instanceof Error) return { Error: { ...named, ...errorElements(refusalOf(outcome)) } };
  if (isQuiet) return {};
  return {
    Deleted: { ...named, ...(outcome !== undefined && { DeleteMarker: true, DeleteMarkerVersionId: outcome }) },
  };
}

/** Reads a hundred keys at a time, because a key can have thousands of character references. */
async function readKeys(root: XmlNode): Promise<NamedKey[]> {
  const keys: NamedKey[] = [];
  for (const node of nodesIn(root, 'Object')) if (keys.push(readKey(node)) % 100 === 0) await nextTurn();
  return keys;
}

function readKey(node: XmlNode): NamedKey {
  const key = textIn(node, 'Key');
  if (!key) throw new S3Refusal('MalformedXML', { message: 'Each Object must have a Key.' });
  return {
    key,
    versionId: textIn(node, 'VersionId'),
    ifMatch: etagList(textIn(node, 'ETag')),
    otherCondition: ['LastModifiedTime', 'Size'].find((name) => name in node),
  };
}

/** What a key names, once it was checked. */
interface Named {
  readonly address: ObjectAddress;
  readonly versionId: string | undefined;
  readonly conditions: WriteConditions;
}

/** @throws AccessDenied, NotImplemented, and the refusals of a key */
function checked({ caller }: S3Context, bucket: string | undefined, named: NamedKey): Named {
  const { key, versionId, ifMatch, otherCondition } = named;
  requireReach(caller.key, key);
  if (otherCondition !== undefined)
    throw new S3Refusal('NotImplemented', {
      message: `This server does not have what ${otherCondition} asks for. Send ETag as the condition.`,
    });
  const isCurrent = !versionId || versionId === currentVersion;
  return {
    address: addressOf(caller, { bucket, key }),
    versionId: isCurrent ? undefined : versionId,
    conditions: { ifMatch },
  };
}

/** Deletes a file or a version. Returns the id of the delete marker that this makes or removes. */
async function deleteOne(
  tx: Transaction<FileTables>,
  { ids, actor, caller }: S3Context,
  { address, versionId, conditions }: Named,
): Promise<string | undefined> {
  if (versionId === undefined) {
    const kept = await deleteS3Object(tx, address, conditions, actor);
    return kept && markerIdOf(kept);
  }
  const version = { ...address, versionId, conditions, actor, mayPurgeKept: mayPurgeKept(caller) };
  const deleted = await deleteS3Version(tx, ids, version);
  return deleted?.kind === 'marker' ? versionId : undefined;
}

/** Returns what `work` returns, or its refusal. */
async function outcomeOf<T>(work: () => T | Promise<T>): Promise<T | S3Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal || error instanceof S3Refusal) return refusalOf(error);
    throw error;
  }
}

/** A bug fails the whole request. A store can fail for one key alone. */
function refusalOf(error: unknown): S3Refusal {
  const { refusal, fault } = s3Failure(error);
  if (fault !== undefined && refusal.code === 'InternalError') throw error;
  return refusal;
}
