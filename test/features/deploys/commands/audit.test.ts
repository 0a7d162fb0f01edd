import { expect, it } from 'vitest';

import { actionsOf } from '#test/cli/audited-actions.ts';
import { cubbyHere } from '#test/cli/cubby.ts';
import { startTestServer } from '#test/support/server.ts';

it('the audit log has an entry of the start of a runner, without its command', async () => {
  const server = await startTestServer({ ownStores: true });
  const cubby = cubbyHere(server.dataDir);
  await cubby.json('deploys', 'run', '--exec', 'echo s3cret', '--once');
  expect((await actionsOf(cubby)).at(-1)).toEqual(['deploys.runner_started', null, null]);
  expect((await cubby('audit', 'export')).stdout).not.toContain('s3cret');
  expect(await cubby.json('audit', 'verify')).toMatchObject({ ok: true });
});
