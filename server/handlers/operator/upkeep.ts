import { parsing } from '#server/http/operation.ts';
import type { OperatorHandlers } from '#generated/router.ts';
import { listPurges } from '#server/features/files/list-purges.ts';
import { upkeep } from '#server/domain/operator/upkeep.ts';
import { scrubStatus } from '#server/domain/store-check/scrub-status.ts';
import { startScrub } from '#server/domain/store-check/start-scrub.ts';
import { operatorOf, type Call } from '../call.ts';
import { accepted, continuation, cursorOf, success } from '../wire.ts';
import type { OperatorPorts } from './ports.ts';
import { backupsView } from './views/backups.ts';
import { purgeView } from '#server/features/files/handlers/purge-view.ts';
import { backupRunView, scrubView, upkeepView } from './views/upkeep.ts';

/** Returns the handlers of backups, the scrub and the purges that wait. */
export function operatorUpkeepHandlers(deps: OperatorPorts) {
  return {
    listBackups: async () => success(backupsView(await deps.backups.list())),

    async startBackup(_input, call) {
      return accepted(backupRunView(await deps.backups.start(operatorOf(call))));
    },

    getUpkeep: async () => success(upkeepView(await upkeep(deps))),

    async startScrub(_input, call) {
      await startScrub(deps, operatorOf(call));
      deps.onScrubStarted();
      return accepted(scrubView(await scrubStatus(deps)));
    },

    listPurges: parsing(
      ({ query }) => ({ limit: query.limit ?? 100, cursor: cursorOf(query) }),
      async (page) => {
        const { purges, next } = await listPurges(deps, page);
        return success({ purges: purges.map(purgeView), ...continuation(next) });
      },
    ),
  } satisfies Partial<OperatorHandlers<Call>>;
}
