import type { OperatorHandlers } from '#generated/router.ts';
import { upkeep } from '#server/domain/operator/upkeep.ts';
import { scrubStatus } from '#server/domain/store-check/scrub-status.ts';
import { startScrub } from '#server/domain/store-check/start-scrub.ts';
import { operatorOf, type Call } from '../call.ts';
import { accepted, success } from '../wire.ts';
import type { OperatorPorts } from './ports.ts';
import { backupsView } from './views/backups.ts';
import { backupRunView, scrubView, upkeepView } from './views/upkeep.ts';

/** Returns the handlers of backups and the scrub. */
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
  } satisfies Partial<OperatorHandlers<Call>>;
}
