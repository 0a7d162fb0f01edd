import { timestamp } from '#server/handlers/wire.ts';
import { accountElements } from '../account-elements.ts';
import type { S3Operation } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { countOf } from '../list-query.ts';
import { buckets, parameter } from '../request.ts';
import { xmlReply } from '../xml.ts';

const maxBuckets = 10_000;

/** ListBuckets: the same three for every account, as old as the account. @throws InvalidArgument */
export const listBuckets: S3Operation = async ({ caller: { account } }, request) => {
  const most = pageSize(parameter(request, 'max-buckets'));
  const prefix = parameter(request, 'prefix') ?? '';
  const after = readToken(parameter(request, 'continuation-token'));
  const all = [...buckets.keys()].toSorted().filter((name) => name.startsWith(prefix) && name > after);
  const page = all.slice(0, most);
  const createdAt = timestamp(account.createdAt);
  return xmlReply('ListAllMyBucketsResult', {
    Owner: accountElements(account),
    Buckets: { Bucket: page.map((name) => ({ Name: name, CreationDate: createdAt })) },
    ContinuationToken: page.length < all.length ? Buffer.from(page.at(-1)!).toString('base64url') : undefined,
    Prefix: prefix || undefined,
  });
};

/** At least one, because the token is made of the last bucket of a page. @throws InvalidArgument */
function pageSize(text: string | undefined): number {
  const most = countOf(text, 'max-buckets', maxBuckets);
  if (most === 0) throw invalidArgument('max-buckets', `max-buckets must be a number from 1 to ${maxBuckets}.`, '0');
  return most;
}

/** Returns the last bucket of the page before. @throws InvalidArgument */
function readToken(token: string | undefined): string {
  if (!token) return '';
  const name = Buffer.from(token, 'base64url').toString();
  if (!buckets.has(name))
    throw invalidArgument('continuation-token', 'The continuation token is not one of this server.', token);
  return name;
}
