import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  // When rows were last swept. The state itself is in rows.
  observations: ['server/features/shares/stores/postgres/password-tries.ts'],
};
