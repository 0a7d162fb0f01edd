import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  observations: ['server/features/shares/stores/postgres/password-tries.ts'],
};
