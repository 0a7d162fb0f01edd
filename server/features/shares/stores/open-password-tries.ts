import type { PasswordTries } from '#server/domain/ports/password-tries.ts';
import type { SharedState } from '#server/stores/engine.ts';
import { MemoryPasswordTries } from './memory/password-tries.ts';
import { PostgresPasswordTries } from './postgres/password-tries.ts';

/** Opens the counts of tries: in the database if several servers use it, and else in memory. */
export function openPasswordTries(shared: Pick<SharedState, 'database'> | undefined): PasswordTries {
  return shared ? new PostgresPasswordTries(shared.database) : new MemoryPasswordTries();
}
