import type { Harvest } from './note.ts';

export const webhooks: Readonly<Record<string, Harvest>> = {
  createWebhook: (world, { json }) => world.pool.add('webhookId', json.response.id),
  deleteWebhook: (world, { request }) => world.pool.remove('webhookId', request.target.split('/').at(-1)),
};
