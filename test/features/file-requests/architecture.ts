import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: ['server/features/file-requests/reserve-space.ts'],
  script: [
    'server/features/file-requests/pages/sending/queue.js',
    'server/features/file-requests/pages/sending/request.js',
    'server/features/file-requests/pages/sending/view.js',
  ],
};
