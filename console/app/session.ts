import {
  deleteOperatorSession,
  deleteSession,
  getOperatorSession,
  getSession,
  startOperatorSession,
  startSession,
} from '#generated/client/index.js';

import { ask, send } from './api.ts';
import { ApiError } from './api-error.ts';
import { config, type Config } from './config.ts';
import { dropEarly } from './early-answers.ts';
import { kept, keep } from './kept.ts';
import { hasExpired, hasScope, session, type SignedIn } from './session-state.ts';
import { signedInName as hint, type SignedInAs } from './signed-in.ts';

/** Finds out who is signed in. A server that cannot be reached leaves the sign-in page. */
export async function loadSession(door: Config['door']): Promise<void> {
  if (kept(hint) === undefined) return;
  try {
    session.value = await (door === 'operator' ? ask(getOperatorSession()) : ask(getSession()));
    keep(hint, signedInAs(session.value));
  } catch (error) {
    dropEarly();
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 401) return;
    keep(hint, undefined);
    hasExpired.value = true;
  }
}

/**
 * Exchanges a key for a session. The key itself is not kept.
 *
 * @throws {ApiError}
 */
export async function signIn(key: string, remember: boolean): Promise<void> {
  const started =
    config().door === 'operator'
      ? await ask(startOperatorSession({ body: { operator_key: key } }))
      : await ask(startSession({ body: { api_key: key, remember } }));
  dropEarly();
  hasExpired.value = false;
  session.value = started;
  keep(hint, signedInAs(started));
}

function signedInAs(started: SignedIn): SignedInAs {
  if (!('scopes' in started)) return 'operator';
  return hasScope('blob:read') && started.prefixes === null ? 'lists' : 'account';
}

/** @throws {ApiError} when the session may still be there */
export async function signOut(): Promise<void> {
  try {
    await (config().door === 'operator' ? send(deleteOperatorSession()) : send(deleteSession()));
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 401 || error.code === 'SESSION_NOT_FOUND'))) throw error;
  }
  keep(hint, undefined);
  hasExpired.value = false;
  session.value = null;
}
