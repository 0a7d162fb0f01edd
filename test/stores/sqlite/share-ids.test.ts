import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import type { Secrets } from '#server/domain/ports/secrets.ts';
import { listShares as listOwnShares } from '#server/features/shares/list-shares.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';
import { startTestServer } from '#test/support/server.ts';
import { openLink, shareFile } from '#test/support/shares.ts';

/** Returns the texts that occur in any file of the folder. */
function heldBy(dataDir: string, texts: readonly string[]): string[] {
  const files = readdirSync(dataDir, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'disk-reserve',
  );
  const contents = files.map(({ name }) => readFileSync(join(dataDir, name)));
  return texts.filter((text) => contents.some((content) => content.includes(text)));
}

describe('a copy of the database', () => {
  it('contains neither the id of a new link nor a hash that opens it', async () => {
    const server = await startTestServer({ ownStores: true });
    const share = await shareFile(server, await server.account());
    expect(heldBy(server.dataDir, [share.id])).toEqual([]);
    const db = new DatabaseSync(join(server.dataDir, 'cubby.db'), { readOnly: true });
    const { share_id: stored } = db.prepare('SELECT share_id FROM shares').get() as { share_id: string };
    db.close();
    expect((await openLink(server, { path: `/s/${stored}` })).status).toBe(404);
    expect((await openLink(server, share)).status).toBe(200);
  });
});

const everyShare = { prefixes: null, object: undefined, prefix: '', limit: undefined, cursor: undefined };

it('a list leaves out links of a lost master key, because nothing can open them', async () => {
  const server = await startTestServer();
  const account = await server.account();
  await shareFile(server, account);
  const { stores } = server.running.app;
  const listed = async (secrets: Secrets) =>
    (await listOwnShares({ ...stores, secrets }, { accountId: account.id, ...everyShare })).rows.length;
  expect([await listed(stores.secrets), await listed(masterSecrets(Buffer.alloc(32, 9)))]).toEqual([1, 0]);
});
