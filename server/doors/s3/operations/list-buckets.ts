import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { timestamp } from '#server/handlers/wire.ts';
import type { S3Operation } from '../context.ts';
import { countOf } from '../multipart.ts';
import { accountElement } from '../owner.ts';
import { buckets, parameter } from '../request.ts';
import { element, s3Document } from '../xml.ts';

const maxBuckets = 10_000;

/** ListBuckets: always the same three, as old as the account. @throws InvalidArgument */
export const listBuckets: S3Operation = async ({ caller: { account } }, request) => {
  const createdAt = timestamp(account.createdAt);
  const most = pageSize(parameter(request, 'max-buckets'));
  const prefix = parameter(request, 'prefix') ?? '';
  const after = readToken(parameter(request, 'continuation-token'));
  const all = [...buckets.keys()].toSorted().filter((name) => name.startsWith(prefix) && name > after);
  const page = all.slice(0, most);
  const elements = page.map((name) => element('Bucket', [element('Name', name), element('CreationDate', createdAt)]));
  const xml = s3Document('ListAllMyBucketsResult', [
    accountElement('Owner', account),
    element('Buckets', elements),
    ...(page.length < all.length
      ? [element('ContinuationToken', Buffer.from(page.at(-1)!).toString('base64url'))]
      : []),
    ...(prefix === '' ? [] : [element('Prefix', prefix)]),
  ]);
  return { status: 200, body: xml };
};

/** At least one, or no page would lead on. @throws InvalidArgument */
function pageSize(text: string | undefined): number {
  const most = countOf(text, 'max-buckets', maxBuckets);
  if (most === 0)
    throw new S3Refusal('InvalidArgument', {
      message: `max-buckets must be a number from 1 to ${maxBuckets}.`,
      details: { ArgumentName: 'max-buckets', ArgumentValue: '0' },
    });
  return most;
}

/** The bucket that a page ended with. @throws InvalidArgument */
function readToken(token: string | undefined): string {
  if (!token) return '';
  const name = Buffer.from(token, 'base64url').toString();
  if (!buckets.has(name))
    throw new S3Refusal('InvalidArgument', {
      message: 'The continuation token is none of this server.',
      details: { ArgumentName: 'continuation-token', ArgumentValue: token },
    });
  return name;
}
