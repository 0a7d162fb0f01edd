import type { PasswordTries } from '#server/features/shares/password-tries.ts';
import type { SharedState } from '#server/stores/engine.ts';
import { MemoryPasswordTries } from './memory/password-tries.ts';

/** Opens the counts of tries: in the database if several servers use it, and else in memory. */
export async function openPasswordTries(shared: Pick<SharedState, 'database'> | undefined): Promise<PasswordTries> {
  if (!shared) return new MemoryPasswordTries();
  const { PostgresPasswordTries } = await import('./postgres/password-tries.ts');
  return new PostgresPasswordTries(shared.database);
}
