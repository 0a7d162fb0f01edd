import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { actionsOf } from '#test/cli/audited-actions.ts';
import { cubbyHere, temporaryFolder } from '#test/cli/cubby.ts';
import { startTestServer } from '#test/support/server.ts';

it('the audit log has an entry of an import of an access log', async () => {
  const server = await startTestServer({ ownStores: true });
  const account = await server.account();
  const cubby = cubbyHere(server.dataDir);
  const log = join(await temporaryFolder(), 'access.log');
  await writeFile(log, '');
  const { id: app } = await cubby.json('app', 'create', '--account', account.id, '--name', 'shop');
  await cubby.json('edge-log', 'import', '--app', app, log);
  expect((await actionsOf(cubby)).at(-1)).toEqual(['edge_log.import_started', account.id, app]);
  expect(await cubby.json('audit', 'verify')).toMatchObject({ ok: true });
});
