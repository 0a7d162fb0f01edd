import type { RequestListener } from 'node:http';

import type { DoorName } from '#server/config/config.ts';
import { scryptThreads } from '#server/stores/system/scrypt-threads.ts';
import type { Given } from './given.ts';
import { healthHandlers } from './health.ts';
import { sharedParts } from './shared.ts';
import { composeApiDoor } from './api.ts';
import { composeFilesDoor } from './files.ts';
import { composeOperatorDoor } from './operator.ts';
import { composePublicDoor } from './public.ts';
import { composeS3Door } from './s3.ts';

/** The doors of one server. */
export interface Doors {
  readonly doors: Readonly<Record<DoorName, RequestListener>>;
  /** Lets `/readyz` respond with 503 from now on, so that a load balancer sends requests elsewhere. */
  beginStop(): void;
  close(): Promise<void>;
}

/** Builds every door, with the handlers behind it. */
export async function composeDoors(given: Given): Promise<Doors> {
  let isStopping = false;
  const streamsEnd = new AbortController();
  const { scrypt: realScrypt, close } = scryptThreads();
  const shared = await sharedParts(given, given.wrapScrypt?.(realScrypt) ?? realScrypt);
  const health = healthHandlers(given, () => isStopping);
  return {
    beginStop() {
      isStopping = true;
      shared.limits.beginStop();
      // Clients connect again, elsewhere or after the start.
      streamsEnd.abort();
    },
    close,
    doors: {
      api: composeApiDoor(given, shared, streamsEnd, health),
      files: composeFilesDoor(given, shared),
      public: composePublicDoor(given, shared),
      s3: composeS3Door(given, shared),
      operator: composeOperatorDoor(given, shared, health),
    },
  };
}
