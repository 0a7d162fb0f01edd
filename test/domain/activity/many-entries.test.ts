import { expect, it } from 'vitest';

import { listActivity } from '#server/domain/activity/list-activity.ts';
import type { ActivityFilter } from '#server/domain/activity/table.ts';
import { openTestStores } from '#test/support/stores.ts';

const count = process.env.CUBBY_TEST_LONG ? 1_000_000 : 60_000;

/** Of a thousand entries, one is a new key, two are of another key, and the first ten are about a rare folder. */
const filled = (accountId: string, now: number) => `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
  INSERT INTO activity (account_id, sequence, type, at, space, key, details, auth, by_key)
  SELECT '${accountId}', n, CASE WHEN n % 1000 = 7 THEN 'key.created' ELSE 'object.uploaded' END, ${now - count} + n,
    CASE WHEN n % 1000 = 7 THEN NULL ELSE 0 END,
    CASE WHEN n % 1000 = 7 THEN NULL WHEN n <= 10 THEN 'rare/' || n ELSE 'docs/' || (n % 5000) END,
    '{}', 'api_key', CASE WHEN n % 500 = 3 THEN 'k2' ELSE 'k1' END
  FROM numbers`;

it(`filters of ${count} entries of activity find theirs in few pages`, { timeout: 300_000 }, async () => {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account();
  await stores.change(filled(accountId, stores.clock.now()));
  const filters: ReadonlyArray<readonly [ActivityFilter, number]> = [
    [{ type: 'key.created' }, 60],
    [{ keyId: 'k2' }, 100],
    [{ prefix: 'rare/' }, 9],
    [{ prefix: 'docs/' }, 100],
    [{ type: 'share.created' }, 0],
    [{ type: 'object.deleted' }, 0],
    [{ auth: 's3' }, 0],
    [{ keyId: 'none' }, 0],
    [{ type: 'object.uploaded', keyId: 'k2', prefix: 'docs/4' }, 20],
    [{ to: stores.clock.now() - count + 5, from: stores.clock.now() - count }, 4],
  ];
  for (const [filter, found] of filters) {
    let longestMs = 0;
    let last = performance.now();
    const turn = (): void => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const startedAt = performance.now();
    let pages = 0;
    const entries = [];
    for (let cursor: string | undefined; ;) {
      const page = await listActivity(stores, { accountId, prefixes: null, limit: 100, cursor, filter });
      pages += 1;
      entries.push(...page.entries);
      cursor = page.next;
      if (cursor === undefined || (found > 0 && entries.length >= found)) break;
    }
    clearImmediate(next);
    const tookMs = performance.now() - startedAt;
    console.log(
      `${JSON.stringify(filter)}: ${entries.length} in ${pages} pages, ${tookMs.toFixed(1)} ms, longest ` +
        `${longestMs.toFixed(1)} ms`,
    );
    expect(entries.length).toBeGreaterThanOrEqual(found);
    expect(pages).toBeLessThanOrEqual(Math.ceil(count / 200_000));
  }
});
