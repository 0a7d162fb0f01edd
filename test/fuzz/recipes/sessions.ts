import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';

/** Sends a request as a page of the console does, or signs in first. */
function asBrowser(world: World, id: string): Draft {
  const session = world.some('session');
  if (session === undefined) return sessions.startSession!(world);
  const [cookie = '', csrf = ''] = session.split(' ');
  const headers = { Cookie: cookie, 'X-Cubby-CSRF': csrf, 'Sec-Fetch-Site': 'same-origin' };
  return draftOf(world, id, { headers, credential: undefined });
}

export const sessions: Readonly<Record<string, Recipe>> = {
  startSession: (world) => draftOf(world, 'startSession', { fields: { api_key: world.member.credential } }),
  getSession: (world) => (world.random.chance(0.5) ? draftOf(world, 'getSession') : asBrowser(world, 'getSession')),
  listSessions: (world) =>
    world.random.chance(0.5) ? draftOf(world, 'listSessions') : asBrowser(world, 'listSessions'),
  deleteSession: (world) => asBrowser(world, 'deleteSession'),
  revokeSession: (world) => {
    const id = world.some('sessionId');
    return id === undefined ? sessions.startSession!(world) : draftOf(world, 'revokeSession', { path: { id } });
  },
  startOperatorSession: (world) => draftOf(world, 'startOperatorSession', { fields: { operator_key: world.operator } }),
  deleteOperatorSession: (world) => {
    const session = world.shared.some('operatorSession', world.random);
    if (session === undefined) return sessions.startOperatorSession!(world);
    const [cookie = '', csrf = ''] = session.split(' ');
    const headers = { Cookie: cookie, 'X-Cubby-CSRF': csrf };
    return draftOf(world, 'deleteOperatorSession', { headers, credential: undefined });
  },
};
