import type { GitWebhooksTable } from '../table.ts';
import type { GitWebhook } from '../webhook.ts';
import { record, snakeCase } from '#server/stores/tables/columns.ts';
import { countRevision } from './deploys.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';
import { spendIn } from './spend-window.ts';

const webhooks = table(
  'git_webhooks',
  record<GitWebhook>({
    ...snakeCase('appId', 'codeHash', 'sealedCode', 'sealedToken', 'sealedSecret', 'tokenOrigin', 'pushedAt', 'pushes'),
  }),
  'app_id',
);

const pushWindow = { table: 'git_webhooks', since: 'pushed_at', count: 'pushes' } as const;
const filteredWindow = { table: 'git_webhooks', since: 'filtered_at', count: 'filtered' } as const;

export function gitWebhooksTable(rows: Rows): GitWebhooksTable {
  return {
    findByCode: async (codeHash) => rows.one(webhooks, where('code_hash'), codeHash),
    find: async (appId) => rows.one(webhooks, where('app_id'), appId),
    listAfter: async (appId, limit) => rows.all(webhooks, 'WHERE app_id > ? ORDER BY app_id LIMIT ?', appId, limit),
    async renew({ appId, sealedCode: former }, { codeHash, sealedCode, sealedToken, sealedSecret }) {
      const renew = `UPDATE git_webhooks SET code_hash = ?, sealed_code = ?, sealed_token = ?, sealed_secret = ?
        WHERE app_id = ? AND sealed_code = ?`;
      await rows.write(renew, codeHash, sealedCode, sealedToken, sealedSecret, appId, former);
    },
    async put(webhook) {
      await rows.put(webhooks, webhook);
      await countRevision(rows, webhook.appId);
    },
    async remove(appId) {
      if ((await rows.run('DELETE FROM git_webhooks WHERE app_id = ?', appId)) > 0) await countRevision(rows, appId);
    },
    spendPush: (appId, at, windowMs, most) => spendIn(rows, pushWindow, { appId, at, windowMs, most }),
    spendFiltered: (appId, at, windowMs, most) => spendIn(rows, filteredWindow, { appId, at, windowMs, most }),
    async settleTokenOrigin(appId, origin) {
      await rows.write(
        'UPDATE git_webhooks SET token_origin = ? WHERE app_id = ? AND token_origin IS NULL',
        origin,
        appId,
      );
    },
  };
}
