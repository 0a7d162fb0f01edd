import type { RequestListener } from 'node:http';

import { linkErrorOwner } from '#server/features/edge-errors/error-owner.ts';
import { features } from '#server/features.ts';
import { UploadTurns } from '#server/features/uploads/upload-turns.ts';
import { filesDoor } from '#server/doors/files/files-door.ts';
import { deliveryHandlers } from '#server/features/shares/handlers/delivery.ts';
import { receivingHandlers } from '#server/features/file-requests/handlers/receiving.ts';
import { MemoryArchives } from '#server/features/shares/stores/memory/archives.ts';
import { MemoryPasswordTries, unlimitedPasswordTries } from '#server/features/shares/stores/memory/password-tries.ts';
import type { Given } from './given.ts';
import type { Shared } from './shared.ts';

export function composeFilesDoor(
  { config, urls, log, stores, events, images, metrics }: Given,
  { common, core, handleOf, scrypt, hashes, hashing }: Shared,
): RequestListener {
  const tries = config.rateLimits
    ? (stores.shared?.passwordTries ?? new MemoryPasswordTries())
    : unlimitedPasswordTries;
  const owners = features.flatMap((one) => ('linkOwner' in one ? [one.linkOwner(core)] : []));
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  const links = { ...core, blobs: stores.blobs, hashing, scrypt, tries, filesHost: urls.files, onFault };
  return filesDoor({
    ...common,
    noteError: (error) => events.noteError(linkErrorOwner(owners, error.target), error),
    handleOf,
    handlers: {
      delivery: deliveryHandlers({
        ...links,
        blobAddresses: stores.blobAddresses,
        publicHost: urls.public,
        archives: new MemoryArchives(),
        images,
      }),
      receiving: receivingHandlers({
        ...links,
        hashes,
        turns: new UploadTurns(),
        onUnhashed: events.onUnhashed,
        noteStored: (bytes) => metrics.bytesReceived('files', bytes),
      }),
    },
  });
}
