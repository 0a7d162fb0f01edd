import type { Given } from '#server/compose/given.ts';
import type { Ports } from '#server/compose/served.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { apiPart } from './handlers/api-part.ts';
import { chunkedHandlers } from './handlers/chunked.ts';
import { uploadsHandlers } from './handlers/uploads.ts';
import { RunningHashCache } from './running-hash.ts';
import { uploadLookup } from './upload-lookup.ts';
import { UploadTurns } from './upload-turns.ts';

declare module '#server/compose/served.ts' {
  interface Ports {
    /** Any door may complete what another one has begun. */
    readonly hashes: RunningHashCache;
  }
}

export function serve({ urls, stores, metrics, core }: Given) {
  const hashes = new RunningHashCache();
  const noteStored = (bytes: number) => metrics.bytesReceived('api', bytes);
  const files = { ...core, blobs: stores.blobs, publicHost: urls.public, noteStored, hashes };
  return {
    apiPart,
    ports: { hashes },
    handlers: ({ onUnhashed }: Ports) => ({
      ...chunkedHandlers({ ...files, onUnhashed }),
      ...uploadsHandlers({ ...files, onUnhashed, turns: new UploadTurns() }),
    }),
    lookUpUpload: (caller: Caller, uploadHandle: string) => uploadLookup(core, caller, uploadHandle),
  };
}
