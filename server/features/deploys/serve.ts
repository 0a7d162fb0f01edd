import type { Given } from '#server/compose/given.ts';
import { statusSender } from './backends/send-status.ts';
import { statusQueue } from './backends/status-queue.ts';
import { tokenTargets } from './backends/token-targets.ts';
import { deploysHandlers } from './handlers/apps.ts';
import { fileDeployLogs } from './stores/filesystem/deploy-logs.ts';
import { MemoryDeploymentCache } from './stores/memory/deployment-cache.ts';

/** Reports the results of deploys to git hosts. */
export function serve({ config, urls, stores, core, streamsEnd, log }: Given) {
  const targets = tokenTargets(config.events.allowPrivate);
  const statuses = statusQueue({
    ...stores,
    sender: statusSender(targets),
    onFault: (error) => log.error({ job: 'commit-statuses', error }, 'fault'),
  });
  return {
    handlers: () =>
      deploysHandlers({
        ...core,
        deployments: new MemoryDeploymentCache(),
        apiHost: urls.api,
        coalesces: config.deploys.coalesces,
        isAllowedOrigin: targets.isAllowedOrigin,
        logs: fileDeployLogs(config.dataDir),
        stopping: streamsEnd,
      }),
    work: statuses,
  };
}
