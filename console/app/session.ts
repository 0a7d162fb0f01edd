import {
  deleteOperatorSession,
  deleteSession,
  getOperatorSession,
  getSession,
  startOperatorSession,
  startSession,
} from '#dist/modules/client/index.js';

import { ask, send } from './api.ts';
import { ApiError } from './api-error.ts';
import { config, type Config } from './config.ts';
import { dropEarly } from './early-answers.ts';
import { hasExpired, session, startOver, type SignedIn } from './session-state.ts';
import { signedInText, type SignedInAs } from './signed-in.ts';
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
    dropEarly();
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
  dropEarly();
  if (lastKeyId !== undefined && lastKeyId !== started.key.id) {
    tellTabs(textOf(started));
    return startOver();
  }
  hasExpired.value = false;
  begin(started);
}

function begin(started: SignedIn): void {
  lastKeyId = started.key.id;
  tellTabs(textOf(started));
  session.value = started;
}

function textOf(started: SignedIn): string {
  return signedInText(signedInAs(started), started.id ?? started.key.id);
}

function signedInAs(started: SignedIn): SignedInAs {
  if (!('scopes' in started)) return 'operator';
  const mayRead = started.scopes.some((scope) => scope === '*' || scope === 'blob:read');
  return mayRead && started.prefixes === null ? 'lists' : 'account';
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
