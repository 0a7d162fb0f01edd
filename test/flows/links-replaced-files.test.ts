import { describe, expect, it } from 'vitest';

import { BlobMissing, type BlobStore } from '#server/domain/ports/blobs.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { openLink, remainingOf, shareFile } from '#test/support/shares.ts';

/** Large enough for a blob. */
const sizeBytes = 300_000;

/** Starts a server that can run a function of the test, and then fail, at the next opening of a blob. */
async function serverWithBlobs() {
  let before: (() => Promise<unknown>) | undefined;
  let store: BlobStore | undefined;
  const server = await startTestServer({
    blobs: (real) => ({
      put: (...args) => real.put(...args),
      delete: (id) => real.delete(id),
      ids: () => real.ids(),
      async open(blobId, range) {
        store = real;
        const happens = before;
        before = undefined;
        if (!happens) return real.open(blobId, range);
        await happens();
        throw new BlobMissing(blobId, undefined);
      },
    }),
  });
  return {
    server,
    account: await server.account(),
    missOnce: (happens: () => Promise<unknown>) => void (before = happens),
    async loseAll() {
      for await (const { blobId } of store!.ids()) await store!.delete(blobId);
    },
  };
}

async function temporaryLink(
  server: TestServer,
  account: TestAccount,
  object: string,
): Promise<{ readonly path: string }> {
  const query = new URLSearchParams({ object, redirect: 'false', filename: 'x.bin' });
  const { url } = (await server.send(`/v1/objects/download?${query}`, { credential: account.credential })).json()
    .response;
  return { path: new URL(url).pathname };
}

describe('a file that is overwritten while its link is opened', () => {
  it('is served in its new form by a temporary link', async () => {
    const { server, account, missOnce } = await serverWithBlobs();
    const put = async (bytes: Buffer) => (await upload(server, account, { bytes })).json().response.id as string;
    const link = await temporaryLink(server, account, await put(someBytes(sizeBytes)));
    const bytes = someBytes(sizeBytes + 1);
    missOnce(() => put(bytes));
    const answer = await openLink(server, link);
    expect([answer.status, answer.body.equals(bytes)]).toEqual([200, true]);
  });

  it('is served by a share link, which uses one download', async () => {
    const { server, account, missOnce } = await serverWithBlobs();
    const bytes = someBytes(sizeBytes);
    const share = await shareFile(server, account, { file: { bytes }, body: { max_downloads: 2 } });
    missOnce(async () => {});
    const answer = await openLink(server, share);
    expect([answer.status, answer.body.equals(bytes)]).toEqual([200, true]);
    expect(await remainingOf(server, account, share)).toBe(1);
  });

  it('is unknown once it is deleted', async () => {
    const { server, account, missOnce } = await serverWithBlobs();
    const share = await shareFile(server, account, { file: { bytes: someBytes(sizeBytes) } });
    missOnce(() =>
      server.send('/v1/objects', {
        method: 'DELETE',
        credential: account.credential,
        body: JSON.stringify({ object: share.object }),
      }),
    );
    expect((await openLink(server, share)).json().code).toBe('SHARE_NOT_FOUND');
  });
});

it('a missing blob is a logged fault, and not an unknown link', async () => {
  const { server, account, loseAll } = await serverWithBlobs();
  const share = await shareFile(server, account, { file: { bytes: someBytes(sizeBytes) }, body: { max_downloads: 2 } });
  const link = await temporaryLink(server, account, share.object);
  expect((await openLink(server, link)).status).toBe(200);
  await loseAll();
  expect([(await openLink(server, share)).status, (await openLink(server, link)).status]).toEqual([500, 500]);
  expect(server.log.filter(({ message }) => message === 'fault')).toHaveLength(2);
  expect(await remainingOf(server, account, share)).toBe(2);
});
