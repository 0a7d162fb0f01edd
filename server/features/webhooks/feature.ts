import { feature, ofAccount } from '#server/feature.ts';
import { webhooksTable } from './tables/webhooks.ts';
import { forgetWebhookDeliveries } from './forget-deliveries.ts';
import { resealWebhooks } from './reseal-webhooks.ts';

const ofWebhooks = 'webhook_id IN (SELECT webhook_id FROM webhooks WHERE account_id = ?)';

/** Events, and the endpoints that they are sent to. */
export const webhooks = feature({
  name: 'webhooks',
  needs: [],
  pages: ['events'],
  schema: ['webhooks'],
  tables: {
    webhooks: webhooksTable,
  },
  accountRows: [
    ['webhook_deliveries', 'webhook_id, sequence', ofWebhooks],
    ['webhooks', 'webhook_id', ofAccount],
  ],
  jobs: {
    'forget-webhook-deliveries': { stage: 'rows', trustsClock: true, run: forgetWebhookDeliveries },
  },
  reseal: resealWebhooks,
  commands: () => import('./commands/commands.ts'),
  serve: () => import('./serve.ts'),
});
