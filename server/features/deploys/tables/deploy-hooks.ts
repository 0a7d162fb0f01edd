import type { DeployHook } from '../deploy-hook.ts';
import type { DeployHooksTable } from '../table.ts';
import { record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';
import { spendIn } from './spend-window.ts';

const hooks = table(
  'deploy_hooks',
  record<DeployHook>({
    ...snakeCase('appId', 'codeHash', 'sealedCode', 'repository', 'branch', 'host', 'createdAt', 'usedAt', 'uses'),
  }),
  'app_id',
);

const useWindow = { table: 'deploy_hooks', since: 'used_at', count: 'uses' } as const;

/** Addresses that queue a deploy without a git host. */
export function deployHooksTable(rows: Rows): DeployHooksTable {
  return {
    findByCode: async (codeHash) => rows.one(hooks, where('code_hash'), codeHash),
    find: async (appId) => rows.one(hooks, where('app_id'), appId),
    listAfter: async (appId, limit) => rows.all(hooks, 'WHERE app_id > ? ORDER BY app_id LIMIT ?', appId, limit),
    async put(hook) {
      await rows.put(hooks, hook);
    },
    async renew({ appId, sealedCode: former }, { codeHash, sealedCode }) {
      const renew = 'UPDATE deploy_hooks SET code_hash = ?, sealed_code = ? WHERE app_id = ? AND sealed_code = ?';
      await rows.write(renew, codeHash, sealedCode, appId, former);
    },
    remove: async (appId) => (await rows.run('DELETE FROM deploy_hooks WHERE app_id = ?', appId)) > 0,
    spend: (appId, at, windowMs, most) => spendIn(rows, useWindow, { appId, at, windowMs, most }),
  };
}
