import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { upload } from '#test/support/files.ts';
import { writeFreshFolder } from '#test/support/fresh-folder.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { startTestServer } from '#test/support/server.ts';

const missing = noPostgres();

describe.skipIf(missing)(`a start over an empty PostgreSQL database${missing ? ` (skipped: ${missing})` : ''}`, () => {
  async function emptyPlace(): Promise<{ readonly dataDir: string; readonly env: Record<string, string> }> {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const dataDir = await mkdtemp(join(tmpdir(), 'cubby-empty-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    return { dataDir, env: { CUBBY_DATABASE_URL: database.url } };
  }

  it('makes the tables and the master key, and takes uploads', async () => {
    const server = await startTestServer(await emptyPlace());
    expect((await upload(server, await server.account())).status).toBe(200);
  });

  it('is refused with a folder that holds another installation', async () => {
    const place = await emptyPlace();
    writeFreshFolder(place.dataDir);
    await expect(startTestServer(place)).rejects.toThrow('cubby.db belongs to an installation with other rows');
  });
});
