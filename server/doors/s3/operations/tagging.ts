import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { checkedBody } from '../integrity.ts';
import { notHere } from '../not-here.ts';
import { bodyText } from '../request.ts';
import { element, readXml, s3Document } from '../xml.ts';
import { hasNoTags } from './configurations.ts';
import { foundObject } from './get-object.ts';

/** GetObjectTagging: no file has tags. */
export const getObjectTagging: S3Operation = async (context, request) => {
  await foundObject(context, request);
  return { status: 200, body: s3Document('Tagging', [element('TagSet', [])]) };
};

/**
 * PutObjectTagging: no tags may be set, as there are none. @throws NoSuchKey, NotImplemented for any tag, MalformedXML
 */
export const putObjectTagging: S3Operation = async (context, request) => {
  await foundObject(context, request);
  if (!hasNoTags(readXml(await bodyText(checkedBody(request).bytes), 'Tagging'))) throw notHere('tagging');
  return { status: 200 };
};

/** DeleteObjectTagging: there are none to take away. */
export const deleteObjectTagging: S3Operation = async (context, request) => {
  await foundObject(context, request);
  return { status: 204 };
};

/** The retention and the legal hold of a file, read or written: no bucket has locks. */
export const noObjectLock: S3Operation = async (context, request) => {
  await foundObject(context, request);
  throw new S3Refusal('InvalidRequest', { message: 'The bucket has no object locks, so that no file is kept by one.' });
};
