import { describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { cubbyHere } from './cubby.ts';

describe('cubby jobs', () => {
  it('run does what is due at the time that is named, beside the server, and says how much', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await upload(server, account, { query: { expire: '7d' } });
    const cubby = cubbyHere(server.dataDir);
    expect(await cubby.json('jobs', 'run', 'delete-expired', '--now', '2026-04-28T09:29:59.999Z')).toEqual([{ job: 'delete-expired', count: 0 }]);
    const done = await cubby.json('jobs', 'run', '--all', '--now', '2026-04-28T11:30:00+02:00');
    expect(done).toEqual(['delete-expired', 'delete-by-rule', 'abort-idle-uploads', 'forget-closed-uploads', 'forget-activity', 'forget-upload-tokens', 'reap-blobs', 'hash-contents'].map((job) => ({ job, count: job === 'delete-expired' ? 1 : expect.any(Number) })));
    expect(await server.running.app.stores.metadata.read.accounts.find(account.id)).toMatchObject({ usedObjects: 0 });
    expect((await cubby('jobs', 'run', 'reap-blobs')).stdout).toMatch(/^JOB +DONE\nreap-blobs +0\n$/);
  });

  it('run waits after a jump of the clock, unless a time is named, until confirm-clock', async () => {
    const server = await startTestServer();
    const cubby = cubbyHere(server.dataDir);
    await server.running.app.stores.metadata.atomically((tx) => tx.clockJump.save({ noticedAt: 1, byMs: 2e8 }));
    expect(await cubby('jobs', 'run', '--all')).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('cubby jobs confirm-clock') });
    expect(await cubby('jobs', 'run', 'reap-blobs')).toMatchObject({ code: 0 });
    expect(await cubby('jobs', 'run', '--all', '--now', '2026-04-21')).toMatchObject({ code: 0 });
    expect(await cubby.json('jobs', 'confirm-clock')).toEqual({ was_waiting: true });
    expect(await cubby.json('jobs', 'confirm-clock')).toEqual({ was_waiting: false });
    expect(await cubby('jobs', 'run', '--all')).toMatchObject({ code: 0 });
  });
});
