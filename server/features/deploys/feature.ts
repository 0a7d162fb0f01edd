import { feature } from '#server/feature.ts';
import { forgetDeliveries } from './forget-deliveries.ts';
import { resealDeploys } from './reseal-deploys.ts';
import { apps, ofApps } from '../apps/feature.ts';
import { gitErrors } from './handlers/git/git-errors.ts';
import { deploysConfig } from './config.ts';
import { commitStatusesTable } from './tables/commit-statuses.ts';
import { deployHooksTable } from './tables/deploy-hooks.ts';
import { deploysTable } from './tables/deploys.ts';
import { gitDeliveriesTable } from './tables/git-deliveries.ts';
import { gitWebhooksTable } from './tables/git-webhooks.ts';

/** The pushes of git hosts that queue deploys, and the runner that carries them out. */
export const deploys = feature({
  name: 'deploys',
  needs: [apps],
  pages: ['deploys'],
  config: (reader) => ({ deploys: deploysConfig(reader) }),
  errorForms: [gitErrors],
  dataFolders: [{ name: 'deploys', closesFiles: true }],
  schema: ['deploys'],
  tables: {
    commitStatuses: commitStatusesTable,
    deployHooks: deployHooksTable,
    deploys: deploysTable,
    gitDeliveries: gitDeliveriesTable,
    gitWebhooks: gitWebhooksTable,
  },
  accountRows: [
    ['git_deliveries', 'app_id, hash', ofApps],
    ['deploys', 'sequence', ofApps],
    ['deploy_hooks', 'app_id', ofApps],
    ['commit_statuses', 'deploy_id', ofApps],
    ['commit_status_tokens', 'app_id', ofApps],
    ['git_webhooks', 'app_id', ofApps],
    ['deploy_apps', 'app_id', ofApps],
  ],
  jobs: {
    'forget-deliveries': { stage: 'rows', trustsClock: true, run: forgetDeliveries },
  },
  reseal: resealDeploys,
  commands: () => import('./commands/commands.ts'),
  serve: () => import('./serve.ts'),
});
