import { feature, ofAccount } from '#server/feature.ts';
import { forgetDeliveries } from './forget-deliveries.ts';
import { resealDeploys } from './reseal-deploys.ts';
import { appsTable } from '#server/features/apps/tables/apps.ts';
import { commitStatusesTable } from './tables/commit-statuses.ts';
import { deployHooksTable } from './tables/deploy-hooks.ts';
import { deploysTable } from './tables/deploys.ts';
import { gitDeliveriesTable } from './tables/git-deliveries.ts';
import { gitWebhooksTable } from './tables/git-webhooks.ts';

/** The condition for rows that name an application. */
export const ofApps = 'app_id IN (SELECT app_id FROM apps WHERE account_id = ?)';

/** Applications, the pushes of git hosts that queue deploys, and the runner that carries them out. */
export const deploys = feature({
  name: 'deploys',
  needs: [],
  schema: ['deploys'],
  tables: {
    apps: appsTable,
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
    ['apps', 'app_id', ofAccount],
  ],
  jobs: {
    'forget-deliveries': { stage: 'rows', trustsClock: true, run: forgetDeliveries },
  },
  reseal: resealDeploys,
});
