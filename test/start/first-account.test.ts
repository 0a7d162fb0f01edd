import { expect, it } from 'vitest';

import { firstStart } from '#server/first-start.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { startTwoServers } from '#test/support/two-servers.ts';

it.skipIf(noPostgres() !== undefined)(
  'servers that start at the same time over a new database make one account',
  async () => {
    const pair = await startTwoServers();
    try {
      const starts = pair.servers.map(({ app, urls }) => firstStart(app, urls));
      const texts = (await Promise.all(starts)).filter((text) => text !== undefined);
      const accounts = await pair.servers[0].app.stores.metadata.read.accounts.list();
      expect([texts.length, accounts.length]).toEqual([1, 1]);
      expect(texts[0]).toContain(accounts[0]!.id);
      expect(await firstStart(pair.servers[1].app, pair.servers[1].urls)).toBeUndefined();
    } finally {
      await pair.stop();
    }
  },
);
