import { draftOf } from '../contract-draft.ts';
import type { Recipe } from '../world.ts';

type More = Parameters<typeof draftOf>[2];

/** Names a webhook of the account, or makes the first one. */
function ofOne(operation: string, more: (world: Parameters<Recipe>[0]) => More = () => ({})): Recipe {
  return (world) => {
    const id = world.some('webhookId');
    return id === undefined
      ? events.createWebhook!(world)
      : draftOf(world, operation, { ...more(world), path: { id } });
  };
}

export const events: Readonly<Record<string, Recipe>> = {
  listEvents: (world) =>
    draftOf(world, 'listEvents', {
      query: {
        limit: world.pick(undefined, 1, 3, 1000),
        cursor: world.random.chance(0.5) ? world.some('eventCursor') : world.pick(undefined, 'latest'),
      },
    }),
  getEvent: (world) => {
    const id = world.some('eventId');
    return id === undefined ? events.listEvents!(world) : draftOf(world, 'getEvent', { path: { event_id: id } });
  },
  createWebhook: (world) => {
    const webhooks = world.pool.all('webhookId');
    // An account has 20 webhooks at most.
    if (webhooks.length >= 10) return events.deleteWebhook!(world);
    return draftOf(world, 'createWebhook', {
      fields: {
        url: world.pick('https://example.invalid/hook', 'http://hook.invalid:8080/a?b=c'),
        types: world.pick<unknown>(undefined, ['object.*'], ['share.created', 'upload.*']),
        prefixes: world.pick<unknown>(undefined, ['docs/']),
      },
    });
  },
  getWebhook: ofOne('getWebhook'),
  updateWebhook: ofOne('updateWebhook', (world) => ({
    fields: {
      url: undefined,
      types: world.pick<unknown>(undefined, null, ['object.*']),
      prefixes: undefined,
      enabled: world.pick(undefined, true, false),
      description: world.pick('a', 'b'),
    },
  })),
  deleteWebhook: ofOne('deleteWebhook'),
  runWebhookTest: ofOne('runWebhookTest'),
  listWebhookDeliveries: ofOne('listWebhookDeliveries', (world) => ({
    query: {
      state: world.pick(undefined, 'pending'),
      limit: world.pick(undefined, 1),
      cursor: undefined,
      continuationToken: undefined,
    },
  })),
  startWebhookReplay: ofOne('startWebhookReplay', (world) => {
    const event = world.random.chance(0.7) ? world.some('eventId') : undefined;
    const range = { from: '2099-01-01T00:00:00Z', to: undefined };
    return { fields: event === undefined ? { event, ...range } : { event, from: undefined, to: undefined } };
  }),
  regenerateWebhookSecret: ofOne('regenerateWebhookSecret'),
};
