import { S3Refusal } from '../../s3-refusal.ts';
import { checkedBody } from '../body/checked-body.ts';
import { readXml, textOf } from '../body/xml-body.ts';
import type { S3Operation } from '../context.ts';
import { notImplemented } from '../not-implemented.ts';
import { xmlReply } from '../xml.ts';
import { hasNoTags } from './configurations.ts';
import { findObject } from './find-object.ts';

/** GetObjectTagging, which sends an empty set, because files have no tags. */
export const getObjectTagging: S3Operation = async (context, request) => {
  await findObject(context, request);
  return xmlReply('Tagging', { TagSet: '' });
};

/** PutObjectTagging, which takes only an empty set. @throws NoSuchKey, NotImplemented for any tag, MalformedXML */
export const putObjectTagging: S3Operation = async (context, request) => {
  await findObject(context, request);
  if (!hasNoTags(readXml(await textOf(context, checkedBody(request)), 'Tagging'))) throw notImplemented('tagging');
  return { status: 200 };
};

export const deleteObjectTagging: S3Operation = async (context, request) => {
  await findObject(context, request);
  return { status: 204 };
};

/** Reading and writing of retention and legal hold, which refuse, because no bucket has locks. */
export const noObjectLock: S3Operation = async (context, request) => {
  await findObject(context, request);
  throw new S3Refusal('InvalidRequest', { message: 'The bucket has no object locks. Its files cannot be held.' });
};
