import type { ScanStart } from '#server/features/files/table.ts';
import type { S3Operation } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { parameter } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { entryElements, listPage, startAfter } from './list-objects-page.ts';

export const listObjectsV2: S3Operation = async (context, request) => {
  const after = parameter(request, 'start-after');
  const token = parameter(request, 'continuation-token');
  // Programs that keep the token in a variable send an empty one with the first page, and expect it back.
  const page = await listPage(context, request, token ? readToken(token) : startAfter(after));
  const { next, query } = page;
  return xmlReply('ListBucketResult', {
    ...page.head,
    KeyCount: page.objects.length + page.prefixes.length,
    ContinuationToken: token,
    NextContinuationToken: next && formatToken(next),
    StartAfter: after === undefined ? undefined : query.encoded(after),
    ...entryElements(context, page, parameter(request, 'fetch-owner') === 'true'),
  });
};

/** Returns a letter for the kind of start, then the key in base64url. */
function formatToken(start: ScanStart): string {
  const [kind, key] = 'behind' in start ? ['b', start.behind] : ['a', start.at];
  return `${kind}${Buffer.from(key).toString('base64url')}`;
}

/** @throws InvalidArgument */
function readToken(token: string): ScanStart {
  const [, kind, text] = /^([ab])([\w-]*)$/.exec(token) ?? [];
  const key = Buffer.from(text ?? '', 'base64url').toString();
  // A text that is not base64url of UTF-8 changes when it is decoded and encoded again.
  if (kind === undefined || Buffer.from(key).toString('base64url') !== text)
    throw invalidArgument(
      'continuation-token',
      'The continuation token is not one of this list. List again from the start.',
      token,
    );
  return kind === 'b' ? { behind: key } : { at: key };
}
