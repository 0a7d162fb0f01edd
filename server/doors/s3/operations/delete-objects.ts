import { nextTurn } from '#server/domain/next-turn.ts';
import { deleteS3Object } from '#server/domain/s3/delete-s3-object.ts';
import { maxS3Keys } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { unconditional } from '#server/domain/s3/write-conditions.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { s3Errors, s3Failure } from '../errors.ts';
import { requireReach } from '../guard-s3.ts';
import { checkedBody } from '../integrity.ts';
import { bodyText, spaceOf } from '../request.ts';
import { etagList } from '../write-headers.ts';
import { element, nodesIn, readXmlList, s3Document, textIn, type Xml, type XmlNode } from '../xml.ts';

interface NamedKey {
  readonly key: string;
  readonly versionId: string | undefined;
  readonly ifMatch: readonly string[] | undefined;
  /** A condition that S3 has in directory buckets alone: passed over, it would let go what was to be kept. */
  readonly otherCondition: string | undefined;
}

/**
 * DeleteObjects: up to a thousand keys, each on its own. `Content-MD5` is checked where it is sent, and need not be.
 */
export const deleteObjects: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  const root = await readXmlList(await bodyText(checkedBody(request).bytes), {
    root: 'Delete',
    item: 'Object',
    maxItems: maxS3Keys,
  });
  const keys = await readKeys(root);
  if (keys.length === 0) throw new S3Refusal('MalformedXML', { message: `Name 1 to ${maxS3Keys} keys.` });
  const isQuiet = textIn(root, 'Quiet')?.trim().toLowerCase() === 'true';
  const outcomes = await Promise.all(keys.map((named) => deleteOne(context, space, named, isQuiet)));
  return { status: 200, body: s3Document('DeleteResult', outcomes.flat()) };
};

/** A hundred at a time: a key may have thousands of references to characters. */
async function readKeys(root: XmlNode): Promise<NamedKey[]> {
  const keys: NamedKey[] = [];
  for (const node of nodesIn(root, 'Object')) if (keys.push(readKey(node)) % 100 === 0) await nextTurn();
  return keys;
}

function readKey(node: XmlNode): NamedKey {
  const key = textIn(node, 'Key');
  if (!key) throw new S3Refusal('MalformedXML');
  return {
    key,
    versionId: textIn(node, 'VersionId'),
    ifMatch: etagList(textIn(node, 'ETag')),
    otherCondition: ['LastModifiedTime', 'Size'].find((name) => name in node),
  };
}

async function deleteOne(
  context: S3Context,
  space: ReturnType<typeof spaceOf>,
  { key, versionId, ifMatch, otherCondition }: NamedKey,
  isQuiet: boolean,
): Promise<Xml[]> {
  const version = versionId ? [element('VersionId', versionId)] : [];
  try {
    requireReach(context.caller.key, key);
    if (otherCondition !== undefined)
      throw new S3Refusal('NotImplemented', {
        message: `This server does not have what ${otherCondition} asks for. ETag is a condition that it has.`,
      });
    if (versionId && versionId !== 'null') throw new S3Refusal('NoSuchVersion');
    await deleteS3Object(
      context,
      { accountId: context.caller.account.id, space, key },
      { ...unconditional, ifMatch },
      context.actor,
    );
    return isQuiet ? [] : [element('Deleted', [element('Key', key), ...version])];
  } catch (error) {
    const { refusal, fault } = s3Failure(error);
    // What is our bug is the whole request's; a store that fails may do so for one key.
    if (fault !== undefined && refusal.code === 'InternalError') throw error;
    return [
      element('Error', [
        element('Key', key),
        ...version,
        element('Code', refusal.code),
        element('Message', refusal.words ?? s3Errors[refusal.code].message),
      ]),
    ];
  }
}
