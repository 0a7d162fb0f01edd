import type { AccountHandlers } from '#generated/router.ts';
import { accountStats, type StatsCache } from '#server/domain/account/account-stats.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Call } from './call.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly cache: StatsCache;
}

/** Wire ⇄ domain for what an account uses. */
export function statsHandlers(deps: Deps): Pick<AccountHandlers<Call>, 'getStats'> {
  return {
    async getStats(_, { caller }) {
      const stats = await accountStats(deps, caller.account);
      const storagePrice = stats.storageCents / 100;
      return {
        status: 200,
        body: {
          status: 'success',
          response: {
            usage: { objects: stats.usedObjects, storage: stats.usedBytes },
            plan: { included: stats.includedBytes },
            billing: { extraStorage: stats.extraBytes, storagePrice, objectsPrice: 0, totalEstimate: storagePrice },
            month: { days: stats.month.days, average_storage: stats.month.averageBytes },
          },
        },
      };
    },
  };
}
