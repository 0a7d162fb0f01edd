import { nextTurn } from '#server/event-loop.ts';
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
  return xmlReply('DeleteResult', await Promise.all(keys.map((named) => deleteOne(context, bucket, named, isQuiet))));
};

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

async function deleteOne(
  context: S3Context,
  bucket: string | undefined,
  { key, versionId, ifMatch, otherCondition }: NamedKey,
  isQuiet: boolean,
): Promise<XmlElements> {
  const { caller, actor } = context;
  const named = { Key: key, VersionId: versionId || undefined };
  try {
    requireReach(caller.key, key);
    if (otherCondition !== undefined)
      throw new S3Refusal('NotImplemented', {
        message: `This server does not have what ${otherCondition} asks for. Send ETag as the condition.`,
      });
    const address = addressOf(caller, { bucket, key });
    if (versionId && versionId !== currentVersion) {
      const deleted = await deleteS3Version(context, { ...address, versionId }, { ifMatch }, actor);
      const marker = deleted?.kind === 'marker' ? { DeleteMarker: true, DeleteMarkerVersionId: versionId } : {};
      return isQuiet ? {} : { Deleted: { ...named, ...marker } };
    }
    const kept = await deleteS3Object(context, address, { ifMatch }, actor);
    const marker = kept ? { DeleteMarker: true, DeleteMarkerVersionId: markerIdOf(kept) } : {};
    return isQuiet ? {} : { Deleted: { ...named, ...marker } };
  } catch (error) {
    const { refusal, fault } = s3Failure(error);
    // A bug fails the whole request. A store can fail for one key alone.
    if (fault !== undefined && refusal.code === 'InternalError') throw error;
    return { Error: { ...named, ...errorElements(refusal) } };
  }
}
