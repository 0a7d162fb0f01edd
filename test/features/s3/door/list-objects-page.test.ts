import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checksumAlgorithms } from '#server/domain/checksums/algorithms.ts';
import type { ListedObject } from '#server/features/files/table.ts';
import type { S3Context } from '#server/features/s3/door/context.ts';
import { encodeKey } from '#server/features/s3/door/keys.ts';
import { entryElements, type ListedPage } from '#server/features/s3/door/operations/list-objects-page.ts';
import { s3Document } from '#server/features/s3/door/xml.ts';
import { encodeKey as encodeSlowly } from '#test/s3/signed-request.ts';

const account = { id: '204815162342108999', name: `A <b> & "c" 'd'` };

/** Keys that XML, URLs or scripts could take for something else. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      ...'<>&"\'/%+ .~!*()',
      ']]>',
      '&amp;',
      '\r',
      '\t',
      '\u0001',
      '\u007f',
      '\ufffe',
      '\uffff',
      'é',
      '😀',
    ),
    minLength: 1,
    maxLength: 10,
  }),
);

const file = fc.record<ListedObject>({
  accountId: fc.constant(account.id),
  space: fc.constant('public' as const),
  key: nasty,
  sizeBytes: fc.nat(),
  etag: fc.constantFrom('d41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e-12'),
  createdAt: fc.integer({ min: 0, max: 4e12 }),
  expiresAt: fc.constant(null),
  checksum: fc.option(
    fc.record({
      algorithm: fc.constantFrom(...checksumAlgorithms),
      value: fc.constant('AAAA'),
      type: fc.constantFrom('FULL_OBJECT' as const, 'COMPOSITE' as const),
    }),
  ),
});

describe('entryElements()', () => {
  test('writes the same bytes as the XML writer does for the elements of each file', () => {
    const shown = fc.record({ withOwner: fc.boolean(), isEncoded: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(file, { maxLength: 3 }),
        fc.array(nasty, { maxLength: 2 }),
        shown,
        (objects, prefixes, how) => {
          const { withOwner, isEncoded } = how;
          const encoded = isEncoded ? encodeSlowly : (text: string) => text;
          const context = { caller: { account } } as S3Context;
          const query = { encoded: isEncoded ? encodeKey : encoded } as ListedPage['query'];
          const page: ListedPage = { objects, prefixes, query, head: {}, last: undefined, next: undefined };
          const oneByOne = objects.map(({ key, createdAt, etag, sizeBytes, checksum }) => ({
            Key: encoded(key),
            LastModified: new Date(createdAt).toISOString(),
            ETag: `"${etag}"`,
            ...(checksum && { ChecksumAlgorithm: checksum.algorithm, ChecksumType: checksum.type }),
            Size: sizeBytes,
            Owner: withOwner ? { ID: account.id, DisplayName: account.name } : undefined,
            StorageClass: 'STANDARD',
          }));
          const folders = prefixes.map((prefix) => ({ Prefix: encoded(prefix) }));
          expect(s3Document('List', entryElements(context, page, withOwner))).toBe(
            s3Document('List', { Contents: oneByOne, CommonPrefixes: folders }),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
