import type { RequestListener } from 'node:http';

import { publicErrorOwner } from '#server/features/edge-errors/error-owner.ts';
import { openPublicObject } from '#server/features/files/open-public-object.ts';
import { openContent } from '#server/domain/contents/read-content.ts';
import { publicDoor } from '#server/doors/public/public-door.ts';
import type { Given } from './given.ts';
import type { Shared } from './shared.ts';

export function composePublicDoor(
  { urls, stores, events, images }: Given,
  { common, core, answer }: Shared,
): RequestListener {
  return publicDoor({
    ...common,
    answer,
    noteError: (error) => events.noteError(publicErrorOwner(error.target), error),
    publicHost: urls.public,
    clock: core.clock,
    blobAddresses: stores.blobAddresses,
    images,
    find: (address) => openPublicObject(core, address),
    open: (content, range) => openContent(stores, content, range),
  });
}
