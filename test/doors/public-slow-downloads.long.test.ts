import { readdirSync, readlinkSync } from 'node:fs';
import { rm, truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { isOnBucket } from '#test/support/chosen-store.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes } from '#test/support/files.ts';
import { publicFiles } from './public-files.ts';
import { open } from './raw-request.ts';

const files = publicFiles();
const { faults, get, stored } = files;

const large = 24 * 1024 * 1024;

/** Starts a download and stops reading after the first piece. Most of the file is still on the server. */
async function slowDownload(path: string): Promise<IncomingMessage> {
  const response = await open(files.server, path, { headers: {} });
  expect(response.statusCode).toBe(200);
  response.pause();
  return response;
}

/** Returns the blobs of this server that the process holds open. */
function openBlobs(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(join(files.server.dataDir, 'blobs')) ? [target] : [];
    } catch {
      return [];
    }
  });
}

const settled = (check: () => void) => eventually(check);

// With a bucket, the operating system keeps no open files of deleted blobs.
describe.skipIf(isOnBucket)('a slow download', () => {
  it('completes with its own bytes when the file is replaced meanwhile', async () => {
    const bytes = someBytes(large);
    const path = await stored({ bytes, query: { name: 'slow-replaced' } });
    const response = await slowDownload(path);
    await stored({ query: { name: 'slow-replaced' } });
    await settled(() => expect(openBlobs().every((blob) => blob.endsWith('(deleted)'))).toBe(true));
    expect((await buffer(response)).equals(bytes)).toBe(true);
  });

  it('completes when the file is deleted meanwhile', async () => {
    const bytes = someBytes(large);
    const path = await stored({ bytes });
    const response = await slowDownload(path);
    await files.server.send('/v1/objects', {
      method: 'DELETE',
      credential: files.account.credential,
      body: JSON.stringify({ object: `pub${path}` }),
    });
    expect((await get(path)).status).toBe(404);
    await settled(() => expect(openBlobs().every((blob) => blob.endsWith('(deleted)'))).toBe(true));
    expect((await buffer(response)).equals(bytes)).toBe(true);
  });

  it('breaks the connection and logs a fault when bytes are missing on the disk', async () => {
    const path = await stored({ bytes: someBytes(large) });
    const response = await slowDownload(path);
    const [blob] = openBlobs();
    await truncate(blob!, large - 1_000_000);
    const faultsBefore = faults().length;
    await expect(buffer(response)).rejects.toThrow('aborted');
    await settled(() => expect(faults()).toHaveLength(faultsBefore + 1));
  });

  it('gets 500 and logs a fault when the whole blob is missing', async () => {
    const path = await stored({ bytes: someBytes(large) });
    const response = await slowDownload(path);
    await rm(openBlobs()[0]!);
    response.destroy();
    const faultsBefore = faults().length;
    expect((await get(path)).status).toBe(500);
    expect(faults()).toHaveLength(faultsBefore + 1);
    await settled(() => expect(openBlobs()).toEqual([]));
  });

  it('ends when its client disconnects, and leaves no open file and no fault in the log', async () => {
    const path = await stored({ bytes: someBytes(large) });
    const faultsBefore = faults().length;
    const downloads = await Promise.all([slowDownload(path), slowDownload(path), slowDownload(path)]);
    expect(openBlobs()).toHaveLength(3);
    const linesBefore = files.server.log.length;
    for (const response of downloads) response.destroy();
    await settled(() => {
      const lines = files.server.log.slice(linesBefore).filter(({ message }) => message === 'request');
      expect(lines.map(({ operation, outcome }) => [operation, outcome])).toEqual(
        downloads.map(() => ['getPublicFile', 'aborted']),
      );
      expect(openBlobs()).toEqual([]);
    });
    expect(faults()).toHaveLength(faultsBefore);
  });
});

describe('a download whose file, before it is opened,', () => {
  it('is replaced gets the whole new file', async () => {
    const path = await stored({ bytes: someBytes(60_000), query: { name: 'race-replaced' } });
    const bytes = someBytes(50_000);
    const faultsBefore = faults().length;
    files.beforeNextOpen(async () => {
      const deleted = reaped();
      await stored({ bytes, query: { name: 'race-replaced' } });
      await deleted;
    });
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe('50000');
    expect(answer.body.equals(bytes)).toBe(true);
    expect(faults()).toHaveLength(faultsBefore);
  });

  it('is deleted gets 404', async () => {
    const path = await stored({ bytes: someBytes(60_000) });
    const faultsBefore = faults().length;
    files.beforeNextOpen(async () => {
      const deleted = reaped();
      await files.server.send('/v1/objects', {
        method: 'DELETE',
        credential: files.account.credential,
        body: JSON.stringify({ object: `pub${path}` }),
      });
      await deleted;
    });
    expect((await get(path)).status).toBe(404);
    expect(faults()).toHaveLength(faultsBefore);
  });

  /** Resolves once all blobs to be removed are gone. */
  async function reaped(): Promise<void> {
    const toDelete = () => files.server.running.app.stores.metadata.atomically((tx) => tx.contents.blobsToDelete(1));
    await expect
      .poll(toDelete, { timeout: 5_000, interval: 1 })
      .not.toEqual([])
      .catch(() => {});
    await settled(async () => expect(await toDelete()).toEqual([]));
  }
});
