import { crc32 } from 'node:zlib';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Connections } from '#server/stores/sqlite/connection.ts';
import { SqliteMetadata } from '#server/stores/sqlite/metadata.ts';
import { ask } from '#test/faults/client.ts';
import { partNumber } from '#test/support/parsed.ts';
import { expectShortHolds } from '#test/faults/loop-hold.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import { exchange, textOf, textsOf, type S3Answer } from './exchange.ts';
import type { Endpoint } from './signed-request.ts';

/**
 * Detects severe blocking only, as in `test/flows/event-loop.long.test.ts`. `npm run bench s3` prints the real values.
 */
const boundMs = 250;
const parts = 10_000;
const inlineBytes = 16_384;
const numbers = Array.from({ length: parts }, (_, at) => at + 1);
const etagOf = (part: number) => part.toString(16).padStart(32, '0');
const completion = (some: readonly number[], more = '') => {
  const listed = some.map(
    (part) => `<Part><ETag>&quot;${etagOf(part)}&quot;</ETag>${more}<PartNumber>${part}</PartNumber></Part>`,
  );
  return `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
};

describe(`an upload of ${parts.toLocaleString('en')} small parts`, () => {
  let server: SpawnedServer;
  let account: TestAccount;
  let endpoint: Endpoint;
  let uploadId: string;
  const path = '/private/many';
  beforeAll(async () => {
    server = await spawnServer();
    account = await server.account();
    const { json } = await ask(`${server.urls.base}/v1/s3/credentials`, { credential: account.credential });
    endpoint = {
      url: server.urls.s3,
      accessKeyId: json.response.access_key_id,
      secretAccessKey: json.response.secret_access_key,
    };
    uploadId = textOf((await exchange(endpoint, { method: 'POST', path, query: { uploads: '' } })).text, 'UploadId')!;
    await storeParts();
  });
  afterAll(() => server.remove());

  /** Writes the same rows that the requests would write. */
  async function storeParts(): Promise<void> {
    const connections = new Connections(join(server.dataDir, 'cubby.db'), { sync: false });
    const metadata = new SqliteMetadata(connections, {
      now: () => Date.now(),
      onFault: (error) => console.error(error),
      onMarkedForDeletion: () => {},
    });
    for (let done = 0; done < parts; done += 500) {
      await metadata.atomically(async (tx) => {
        for (const part of numbers.slice(done, done + 500)) {
          const inline = Buffer.alloc(inlineBytes, part);
          const blob = { blobId: `part-${part}`, sizeBytes: inlineBytes, inline, crc32: crc32(inline) };
          await tx.accounts.reserve(account.id, inlineBytes, Number.MAX_SAFE_INTEGER);
          await tx.chunkedUploads.putPart(
            uploadId.split('.')[0]!,
            { part: partNumber(part), blob, md5: etagOf(part) },
            tx.now,
            Number.MAX_SAFE_INTEGER,
          );
        }
      });
    }
    await metadata.close();
    connections.close();
  }

  const expectShort = (name: string, work: () => Promise<unknown>) => expectShortHolds(server, boundMs, name, work);

  const complete = (body: string): Promise<S3Answer> =>
    exchange(endpoint, { method: 'POST', path, query: { uploadId }, body });

  it('is listed page by page', async () => {
    await expectShort('a page of 1000', async () => {
      const { text } = await exchange(endpoint, { path, query: { uploadId, 'part-number-marker': '8500' } });
      expect([
        textsOf(text, 'PartNumber').length,
        textOf(text, 'NextPartNumberMarker'),
        textOf(text, 'IsTruncated'),
      ]).toEqual([1000, '9500', 'true']);
    });
  });

  it('shows its status over REST', async () => {
    await expectShort('the status', async () => {
      const { json } = await ask(`${server.urls.base}/v1/objects/chunked?upload=${encodeURIComponent(uploadId)}`, {
        credential: account.credential,
      });
      expect([json.response.parts.length, json.response.size_so_far]).toEqual([parts, parts * inlineBytes]);
    });
  });

  it('is refused when it is completed with all parts, because only the last may be small', async () => {
    await expectShort('a refused completion', async () =>
      expect(textOf((await complete(completion(numbers))).text, 'Code')).toBe('EntityTooSmall'),
    );
    const withChecksums = completion(
      numbers,
      '<ChecksumSHA256>AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</ChecksumSHA256>',
    );
    await expectShort('a completion with checksums that nobody knows', async () =>
      expect(textOf((await complete(withChecksums)).text, 'Code')).toBe('InvalidRequest'),
    );
  });

  it.each([
    [
      'a long text',
      `<CompleteMultipartUpload><Part><ETag>${'a'.repeat(4_100_000)}</ETag></Part></CompleteMultipartUpload>`,
    ],
    ['blanks', `<CompleteMultipartUpload>${' '.repeat(4_100_000)}</CompleteMultipartUpload>`],
    ['empty parts', `<CompleteMultipartUpload>${'<Part></Part>'.repeat(300_000)}</CompleteMultipartUpload>`],
    ['parts that never end', `<CompleteMultipartUpload>${'<Part>'.repeat(600_000)}</CompleteMultipartUpload>`],
    ['attributes', `<CompleteMultipartUpload ${'a="b" '.repeat(600_000)}></CompleteMultipartUpload>`],
    [
      'parts of attributes',
      `<CompleteMultipartUpload>${`<Part ${'a="b" '.repeat(60)}></Part>`.repeat(9_000)}</CompleteMultipartUpload>`,
    ],
  ])('refuses XML of 4 MB: %s', async (what, body) => {
    await expectShort(what, async () => expect(textOf((await complete(body)).text, 'Code')).toBe('MalformedXML'));
  });

  it('keeps only the part that its completion names', async () => {
    expect((await complete(completion([10_000]))).status).toBe(200);
    const { body } = await exchange(endpoint, { path });
    expect(body.equals(Buffer.alloc(inlineBytes, 10_000))).toBe(true);
  });
});
