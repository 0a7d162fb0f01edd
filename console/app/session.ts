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
import { hasExpired, session, startOver, type SignedIn } from './session-state.ts';
import { hasSignedIn, tellTabs, watchTabs } from './tabs.ts';

/** The key of the last sign-in of this page. What the page still holds is of its owner. */
let lastKeyId: string | undefined;

/** Finds out who is signed in. A server that cannot be reached leaves the sign-in page. */
export async function loadSession(door: Config['door']): Promise<void> {
  watchTabs();
  if (!hasSignedIn()) return;
  try {
    begin(await (door === 'operator' ? ask(getOperatorSession()) : ask(getSession())));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 401) return;
    tellTabs(null);
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
  if (lastKeyId !== undefined && lastKeyId !== started.key.id) {
    tellTabs(started.id);
    return startOver();
  }
  hasExpired.value = false;
  begin(started);
}

function begin(started: SignedIn): void {
  lastKeyId = started.key.id;
  tellTabs(started.id);
  session.value = started;
}

/** @throws {ApiError} when the session may still be there */
export async function signOut(): Promise<void> {
  try {
    await (config().door === 'operator' ? send(deleteOperatorSession()) : send(deleteSession()));
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 401 || error.code === 'SESSION_NOT_FOUND'))) throw error;
  }
  tellTabs(null);
  startOver();
}
