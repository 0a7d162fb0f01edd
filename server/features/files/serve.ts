import type { Given } from '#server/compose/given.ts';
import type { Ports } from '#server/compose/served.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import { debouncer } from '#server/jobs/debouncer.ts';
import { measured } from '#server/jobs/measured.ts';
import { oneAtATime } from '#server/jobs/one-at-a-time.ts';
import { runLeased } from '#server/jobs/run-leased.ts';
import { publicDoor } from './door/public-door.ts';
import { readDownloadLink } from './links/download-link.ts';
import type { FileVariants } from './handlers/file-variants.ts';
import { linkHandlers } from './handlers/links.ts';
import { filesOperatorHandlers } from './handlers/operator.ts';
import { objectsHandlers } from './handlers/objects.ts';
import { receiptsHandlers } from './handlers/receipts.ts';
import { hashContents } from './hash-contents.ts';
import { openPublicObject } from './open-public-object.ts';
import { openContent } from '#server/domain/contents/read-content.ts';
import { MemoryListPages } from './stores/memory/list-pages.ts';
import { downloadLinkOwner } from './links/link-owner.ts';

declare module '#server/stores/stores.ts' {
  interface StorePorts {
    readonly cdn: Cdn;
  }
}

declare module '#server/compose/served.ts' {
  interface Ports {
    /** Undefined if the server makes none. */
    readonly variants?: FileVariants | undefined;
    /** Called when a stored file has no SHA-256 yet. */
    readonly onUnhashed: () => void;
  }
}

/** Hashes files that were stored without their SHA-256. */
export function serve(given: Given) {
  const { urls, stores, metrics, core } = given;
  const { blobs, blobAddresses, cdn } = stores;
  const noteStored = (bytes: number) => metrics.bytesReceived('api', bytes);
  const { hash, hashing } = hashingOf(given);
  const files = { ...core, blobs, publicHost: urls.public, filesHost: urls.files, blobAddresses };
  return {
    ports: { onUnhashed: hashing.nudge },
    jobs: { 'hash-contents': hash },
    handlers: ({ variants }: Ports) => ({
      ...objectsHandlers({ ...files, noteStored, cdn, pages: new MemoryListPages() }),
      ...linkHandlers({ ...files, variants }),
      ...filesOperatorHandlers(core),
      ...receiptsHandlers(core),
    }),
    doors: (ports: Ports) => ({ public: publicDoorOf(given, ports) }),
    linkOwner: downloadLinkOwner(core),
    async ownerOf({ token }: { readonly token?: string }) {
      return token === undefined ? undefined : readDownloadLink(core, token)?.accountId;
    },
    // An earlier process may have left files without their SHA-256.
    work: { begin: hashing.nudge, stop: hashing.stop },
  };
}

function publicDoorOf({ urls, stores, core, common, answer }: Given, { countError, variants }: Ports) {
  return publicDoor({
    ...common,
    answer,
    noteError: (error) => countError?.('public', error, []),
    publicHost: urls.public,
    clock: core.clock,
    blobAddresses: stores.blobAddresses,
    variants,
    find: (address) => openPublicObject(core, address),
    open: (content, range) => openContent(stores, content, range),
  });
}

/** While another server hashes files, this one looks again after so long. */
const busyMs = 1_000;

/** Returns the job that hashes files, and how it is nudged. Of several servers, one hashes. */
function hashingOf({ stores, log, metrics, signal }: Given) {
  const leases = { metadata: stores.metadata, leases: stores.shared?.jobLeases };
  const once = () =>
    runLeased(leases, 'hash-contents', { pauseMs: 0 }, (metadata) => hashContents({ ...stores, metadata, signal }));
  const hash = oneAtATime(() => measured({ clock: stores.clock, onRan: metrics.jobRan }, 'hash-contents', once));
  const hashing = debouncer({
    async run() {
      if ((await hash()) === undefined) setTimeout(hashing.nudge, busyMs).unref();
    },
    onFault: (error) => log.error({ job: 'hash-contents', error }, 'fault'),
  });
  return { hash, hashing };
}
