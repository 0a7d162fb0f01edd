import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { unpacked } from '#test/support/archives.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { createShare, openLink, type TestShare } from '#test/support/shares.ts';

let server: TestServer;
let account: TestAccount;
const uploads = chunking(() => server);
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account('pro');
});
afterAll(() => server.stop());

/** Returns the stored checksums of a folder's files, by their keys. */
async function sumsIn(folder: string): Promise<readonly number[]> {
  const step = {
    accountId: account.id,
    space: 'private',
    folder: `${folder}/`,
    behind: undefined,
    limit: 100,
  } as const;
  return (await server.running.app.stores.metadata.read.bundles.filesIn(step)).map((file) => file.crc32);
}

async function bundle(prefix: string): Promise<TestShare> {
  const { id, url, object } = (await createShare(server, account, { prefix })).json().response;
  return { id, path: `/s/${id}`, url, object };
}

const put = async (prefix: string, bytes: Buffer, name = 'file') =>
  (await upload(server, account, { bytes, query: { prefix, name, private: 'true' } })).json().response.id as string;

describe('The CRC-32 of a file', () => {
  it('is kept for a small and for a large upload, and is that of its copies', async () => {
    const [small, large] = [someBytes(1000), someBytes(300_000)];
    const id = await put('kept', small, 'a');
    await put('kept', large, 'b');
    const body = JSON.stringify({ source: id, destination: { prefix: 'kept', name: 'c' } });
    await server.send('/v1/objects/copy', { method: 'POST', credential: account.credential, body });
    expect(await sumsIn('kept')).toEqual([crc32(small), crc32(large), crc32(small)]);
  });

  it('is combined for an upload in parts, whatever their order', async () => {
    const bytes = someBytes(2 * partBytes + 777);
    const handle = await uploads.open(account, { prefix: 'parts', private: 'true' });
    for (const part of [3, 1, 2])
      await uploads.put(account, handle, part, bytes.subarray((part - 1) * partBytes, part * partBytes));
    expect((await uploads.complete(account, handle)).status).toBe(200);
    expect(await sumsIn('parts')).toEqual([crc32(bytes)]);
    const files = await unpacked((await openLink(server, await bundle('parts'))).body);
    expect([...files.values()][0]!.equals(bytes)).toBe(true);
  });
});
