import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { inject } from 'vitest';

import type { BucketAccess } from './bucket/access.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket where test files ask for the servers that all of them share. */
    readonly sharedServersSocket: string;
  }
}

/** What a test file learns of each server. */
export interface SharedServers {
  readonly postgres: { readonly url: string };
  readonly bucket: BucketAccess;
}

/** Asks for a server that the whole run shares. The first test file that asks starts it. */
export async function askSharedServer<Name extends keyof SharedServers>(name: Name): Promise<SharedServers[Name]> {
  const socket = connect({ path: inject('sharedServersSocket'), allowHalfOpen: true });
  await once(socket, 'connect');
  socket.end(name);
  const answer = JSON.parse(await text(socket)) as { told: SharedServers[Name] } | { error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer.told;
}
