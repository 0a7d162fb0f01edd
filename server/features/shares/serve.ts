import type { Given } from '#server/compose/given.ts';
import type { Ports } from '#server/compose/served.ts';
import type { PasswordTries } from './password-tries.ts';
import { shareOwner } from './find-share.ts';
import { deliveryHandlers } from './handlers/delivery.ts';
import { sharesHandlers } from './handlers/shares.ts';
import { MemoryArchives } from './stores/memory/archives.ts';
import { unlimitedPasswordTries } from './stores/memory/password-tries.ts';
import { openPasswordTries } from './stores/open-password-tries.ts';
import { shareLinkOwner } from './link-owner.ts';

declare module '#server/compose/served.ts' {
  interface Ports {
    /** Counts wrong passwords of links. */
    readonly tries: PasswordTries;
  }
}

export async function serve({ config, urls, stores, core, hashing, scrypt, log }: Given) {
  const { shared, blobs, blobAddresses } = stores;
  const tries = config.rateLimits ? await openPasswordTries(shared) : unlimitedPasswordTries;
  const links = { ...core, hashing, scrypt, filesHost: urls.files, publicHost: urls.public };
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  return {
    ports: { tries },
    handlers: ({ variants }: Ports) => ({
      ...sharesHandlers(links),
      ...deliveryHandlers({
        ...links,
        ...{ blobs, blobAddresses, tries, variants, onFault },
        archives: new MemoryArchives(),
      }),
    }),
    linkOwner: shareLinkOwner(core),
    async ownerOf({ share_id: shareId }: { readonly share_id?: string }) {
      return shareId === undefined ? undefined : shareOwner(core, shareId);
    },
  };
}
