import type { AccountStats as WireStats } from '#generated/types.ts';
import type { AccountStats } from '#server/domain/account/account-stats.ts';

/** Returns the usage of an account, and its cost, as the account and operators see it. */
export function usageView(stats: AccountStats): WireStats {
  const storagePrice = stats.storageCents / 100;
  return {
    usage: {
      objects: stats.usedObjects,
      storage: stats.usedBytes,
      trash: { objects: stats.trashObjects, storage: stats.trashBytes },
    },
    plan: { included: stats.includedBytes },
    billing: { extraStorage: stats.extraBytes, storagePrice, objectsPrice: 0, totalEstimate: storagePrice },
    month: {
      days: stats.month.days,
      average_storage: stats.month.averageBytes,
      requests: stats.traffic.requests,
      egress_bytes: stats.traffic.egressBytes,
    },
  };
}
