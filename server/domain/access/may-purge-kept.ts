import type { Caller } from './caller.ts';
import { everyScope } from './scope.ts';

/**
 * Whether a caller may purge what a request keeps in the trash: a person at the console, or a key with all scopes.
 * Other keys can write, and could so take from a person what they hope to restore.
 */
export function mayPurgeKept({ key, token, session }: Pick<Caller, 'key' | 'token' | 'session'>): boolean {
  return session !== undefined || (token === undefined && key.scopes.includes(everyScope));
}
