import { truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { MetadataFailed } from '#server/domain/ports/metadata.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { StoreFaults } from './store-faults.ts';

describe('StoreFaults', () => {
  it('fails reads like the real database whose log was truncated', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const { read } = server.running.app.stores.metadata;
    const scan = () => read.objects.scan({ accountId: account.id, space: 'public', prefix: '', limit: 1 });
    await upload(server, account);
    await truncate(join(server.dataDir, 'cubby.db-wal'), 0);

    const real = await scan().catch((error: unknown) => error);
    expect(real).toBeInstanceOf(MetadataFailed);
    expect((real as Error).cause).toMatchObject({ code: 'ERR_SQLITE_ERROR' });

    const faults = new StoreFaults();
    const fake = await faults
      .broken('objects.scan', () =>
        faults
          .metadata(server.running.app.stores.metadata)
          .read.objects.scan({ accountId: account.id, space: 'public', prefix: '', limit: 1 }),
      )
      .catch((error: unknown) => error);
    expect(fake).toBeInstanceOf(MetadataFailed);
    expect((fake as Error).cause).toBeInstanceOf(Error);
  });

  it('fails only the chosen call, and only while the work runs', async () => {
    const faults = new StoreFaults();
    const server = await startTestServer({ blobs: faults.blobs, metadata: faults.metadata });
    const account = await server.account();
    await faults.unexpected('objects.scan', async () => {
      expect((await server.send('/v1/objects', { credential: account.credential })).status).toBe(500);
      expect((await upload(server, account)).status).toBe(200);
    });
    expect((await server.send('/v1/objects', { credential: account.credential })).status).toBe(200);
  });
});
