import type { GitDeliveriesTable, TakenDelivery } from '../table.ts';
import { json, record, type Fields } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const fields: Fields<TakenDelivery> = { deployIds: json('deploy_ids'), at: 'at' };

const deliveries = table('git_deliveries', record<TakenDelivery>(fields));

const newDeliveries = table(
  'git_deliveries',
  record<TakenDelivery & { appId: string; hash: Uint8Array }>({ ...fields, appId: 'app_id', hash: 'hash' }),
  'app_id, hash',
);

/** Deliveries of git hosts that were accepted. */
export function gitDeliveriesTable(rows: Rows): GitDeliveriesTable {
  return {
    find: async (appId, hash) => rows.one(deliveries, where('app_id', 'hash'), appId, hash),
    async put(appId, hash, delivery) {
      await rows.put(newDeliveries, { ...delivery, appId, hash });
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('git_deliveries', 'app_id, hash', 'at < ? ORDER BY at', at, limit),
  };
}
