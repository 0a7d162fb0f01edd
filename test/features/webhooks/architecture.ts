import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  unsaved: ['server/features/webhooks/backends/webhook-queue.ts'],
};

export const outbound: Listed['outbound'] = {
  'server/features/webhooks/commands/listen.ts': 'the person at the command line: --server and --forward',
};
