import type { Given } from '#server/compose/given.ts';
import type { Ports } from '#server/compose/served.ts';
import { UploadTurns } from '#server/features/uploads/upload-turns.ts';
import { fileRequestsHandlers } from './handlers/file-requests.ts';
import { receivingHandlers } from './handlers/receiving.ts';
import { pageScripts } from './pages/sending/page-scripts.ts';
import { requestOwner } from './visit-request.ts';
import { requestLinkOwner } from './link-owner.ts';

export function serve({ urls, stores, metrics, core, hashing, scrypt, log }: Given) {
  const links = { ...core, hashing, scrypt, filesHost: urls.files };
  return {
    pageScripts,
    handlers: ({ hashes, tries, onUnhashed }: Ports) => ({
      ...fileRequestsHandlers(links),
      ...receivingHandlers({
        ...links,
        ...{ blobs: stores.blobs, hashes, tries, onUnhashed },
        turns: new UploadTurns(),
        noteStored: (bytes) => metrics.bytesReceived('files', bytes),
        onFault: (error) => log.error({ error }, 'fault'),
      }),
    }),
    linkOwner: requestLinkOwner(core),
    async ownerOf({ request_token: link }: { readonly request_token?: string }) {
      return link === undefined ? undefined : requestOwner(core, link);
    },
  };
}
