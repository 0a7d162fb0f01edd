import type { S3Operation } from '../context.ts';
import { bucketNames } from '../request.ts';
import { element, s3Document } from '../xml.ts';

/** ListBuckets: always the same three, as old as the account. */
export const listBuckets: S3Operation = async ({ caller: { account } }) => {
  const createdAt = new Date(account.createdAt).toISOString();
  const buckets = bucketNames.map((name) => element('Bucket', [element('Name', name), element('CreationDate', createdAt)]));
  return { status: 200, xml: s3Document('ListAllMyBucketsResult', [ownerElement(account), element('Buckets', buckets)]) };
};

/** Whose the files are. */
export function ownerElement({ id, name }: { readonly id: string; readonly name: string }): ReturnType<typeof element> {
  return element('Owner', [element('ID', id), element('DisplayName', name)]);
}
