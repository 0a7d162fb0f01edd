import { describe, expect, it, onTestFinished } from 'vitest';

import { deleteFiles, uploadFile } from '#test/faults/client.ts';
import { someBytes } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { startReplicas } from './replicas.ts';

const missing = noPostgres();

describe.skipIf(missing)(`replicas before a CDN${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('tell it what a killed one has not told it', { timeout: 180_000 }, async () => {
    const database = await freshDatabase(migrated);
    onTestFinished(() => database.drop());
    const hook = await startHookServer();
    const env = {
      CUBBY_PUBLIC_URL: 'https://cdn.example.com',
      CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/purge`,
    };
    const replicas = await startReplicas({ databaseUrls: [database.url, database.url], env });
    onTestFinished(() => replicas.close());
    const [killed, account] = [replicas.at(0), await replicas.at(0).account()];
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, at) => uploadFile(killed, account, `file-${at}`, someBytes())),
    );
    const files = stored.map(({ json }) => json.response as { id: string; url: string });
    // The CDN answers nothing, so all that the first one has taken is under way.
    hook.answer = () => {};
    const deleted = await deleteFiles(
      killed,
      account,
      files.map(({ id }) => id),
    );
    expect(deleted.json.response.deleted).toHaveLength(files.length);
    await expect.poll(() => hook.calls.length).toBeGreaterThan(0);
    const before = hook.calls.length;
    await killed.kill();
    hook.answer = (res) => res.writeHead(204).end();
    const told = () => new Set(hook.calls.slice(before).flatMap(({ body }) => (body as { urls: string[] }).urls));
    await expect.poll(told, { timeout: 90_000 }).toEqual(new Set(files.map(({ url }) => url)));
  });
});
