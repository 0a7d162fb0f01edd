import type { RequestListener } from 'node:http';

import { s3Door } from '#server/features/s3/door/s3-door.ts';
import type { Given } from './given.ts';
import type { Shared } from './shared.ts';

export function composeS3Door(
  { config, urls, stores, metrics, events }: Given,
  { common, core, answer, hashes }: Shared,
): RequestListener {
  const { blobs } = stores;
  const noteStored = (bytes: number) => metrics.bytesReceived('s3', bytes);
  const { onUnhashed } = events;
  const encryptsFiles = config.keyEncryptionKey !== undefined;
  return s3Door({
    ...common,
    answer,
    stores: { ...core, blobs, hashes, s3Url: urls.s3, encryptsFiles, noteStored, onUnhashed },
  });
}
