import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: ['server/features/files/upload/quota-reservation.ts', 'server/features/files/upload/receive-content.ts'],
  unsaved: ['server/features/files/backends/purge-queue.ts'],
};

export const outbound: Listed['outbound'] = {
  'server/features/files/backends/cdn-hook.ts': 'the operator, CUBBY_CDN_PURGE_URL',
};
