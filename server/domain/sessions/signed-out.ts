import { Refusal } from '../refusal.ts';

/**
 * Rejects a request of a browser whose session has ended, or that has none yet. It does not count as a wrong
 * credential. Otherwise a page that stays open would block the address of its reader.
 */
export class SignedOut extends Refusal {
  constructor() {
    super('ACCESS_DENIED', { message: 'You are not signed in, or the session has ended. Sign in again.' });
  }
}
