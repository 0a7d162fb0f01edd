import type { World } from '../world.ts';
import { cursor, sent, type Harvest } from './note.ts';

function noteKey(world: World, response: any): void {
  const key = response.key ?? response;
  world.pool.add('keyId', key.id ?? response.id ?? response.key_id);
  world.pool.add('credential', response.api_key ?? response.secret ?? key.api_key);
}

export const account: Readonly<Record<string, Harvest>> = {
  createKey: (world, { json }) => noteKey(world, json.response),
  regenerateKey: (world, exchanged) => {
    noteKey(world, exchanged.json.response);
    const old = /keys\/([^/]+)\/regenerate/.exec(exchanged.request.target)?.[1];
    if (exchanged.json.response.id !== old) world.pool.remove('keyId', old);
  },
  revokeKey: (world, { request }) => world.pool.remove('keyId', request.target.split('/').at(-1)),
  startSession: (world, { answer, json }) => {
    world.pool.add('session', `${/^[^;]+/.exec(answer.cookies[0] ?? '')?.[0]} ${json.response.csrf_token}`);
    world.pool.add('sessionId', json.response.id);
  },
  deleteSession: (world, exchanged) => {
    for (const session of world.pool.all('session'))
      if (session.startsWith(`${sent(exchanged, 'Cookie')} `)) world.pool.remove('session', session);
  },
  revokeSession: (world, { request }) => world.pool.remove('sessionId', request.target.split('/').at(-1)),
  listActivity: cursor('activityCursor'),
  listEvents: (world, { json }) => {
    world.pool.add('eventCursor', json.response.cursor);
    world.pool.add('eventId', json.response.events.at(-1)?.id);
  },
};
