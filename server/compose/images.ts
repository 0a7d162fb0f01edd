import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { imageProcesses } from '#server/features/images/backends/render-process.ts';
import type { Config } from '../config/config.ts';
import { presetsInForce } from '#server/features/images/account-presets.ts';
import { ImageVariants } from '#server/features/images/image-variants.ts';
import { overlaid, overTransactions } from '../domain/ports/decorated.ts';
import type { ImageRenderer, VariantCache } from '#server/features/images/image-ports.ts';
import type { Metadata } from '../domain/ports/metadata.ts';
import type { ImageDeps } from '#server/features/images/handlers/image-variant.ts';
import { debouncer } from '../jobs/debouncer.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { encryptedVariants, plainVariants } from '#server/features/images/stores/filesystem/variant-cipher.ts';
import { VariantFiles } from '#server/features/images/stores/filesystem/variant-files.ts';
import type { Stores } from '../stores/open.ts';

/** How often the cache is compared with the files. In between, it follows the changes of this process. */
const comparedEveryMs = 3_600_000;

/** Contents that are looked up in one transaction. */
const batchSize = 100;

/** Variants of images, as the doors use them. */
interface Images {
  readonly ports: ImageDeps;
  /** The store of rows, which drops the variants of files that are gone. */
  readonly metadata: Metadata;
  stop(): Promise<void>;
}

interface ImageOptions {
  readonly metrics: Metrics;
  readonly wrapRenderer?: ((real: ImageRenderer) => ImageRenderer) | undefined;
}

/** Returns undefined if variants are off. Then it removes what an earlier server has kept. */
export function composeImages(
  config: Config,
  stores: Stores,
  log: Log,
  { metrics, wrapRenderer = (real) => real }: ImageOptions,
): Images | undefined {
  const folder = join(config.dataDir, 'variants');
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  if (!config.images.isOn) {
    rm(folder, { recursive: true, force: true }).catch(onFault);
    return undefined;
  }
  const { metadata, blobs, clock, secrets, diskSpace } = stores;
  const { keyEncryptionKey } = config;
  const cache = new VariantFiles({
    folder,
    maxBytes: config.images.cacheBytes,
    cipher: keyEncryptionKey === undefined ? plainVariants : encryptedVariants(keyEncryptionKey),
    isFull: () => diskSpace.state().isFull,
    onFault,
  });
  const processes = imageProcesses();
  const renderer = wrapRenderer(processes);
  // One processor is left for requests.
  const parallel = Math.max(1, availableParallelism() - 1);
  const variants = new ImageVariants({ blobs, cache, renderer, clock, parallel });
  metrics.watchQueue('image-variants', () => variants.waiting);
  const dropping = dropVariants(metadata, cache, onFault);
  return {
    ports: { secrets, variants, presetsOf: (accountId) => presetsInForce(metadata, config.images.presets, accountId) },
    metadata: dropping.metadata,
    async stop() {
      processes.close();
      await dropping.stop();
      await cache.close();
    },
  };
}

/**
 * Removes the variants of files that are gone. Nobody can ask for them any more, but they show what the files did. It
 * is done here so that no use case can forget it.
 */
function dropVariants(metadata: Metadata, cache: VariantCache, onFault: (error: unknown) => void) {
  const released = new Set<string>();
  let isStopped = false;
  const dropGone = async (contentIds: readonly string[]) => {
    for (let at = 0; at < contentIds.length && !isStopped; at += batchSize) {
      const batch = contentIds.slice(at, at + batchSize);
      // A copy of the file may have the same content. A read outside of a transaction may come from a cache.
      const found = await metadata.atomically((tx) => Promise.all(batch.map((id) => tx.contents.find(id))));
      for (const [index, contentId] of batch.entries()) if (!found[index]) await cache.drop(contentId);
    }
  };
  const dropReleased = debouncer({
    async run() {
      const contentIds = [...released];
      released.clear();
      await dropGone(contentIds);
    },
    onFault,
  });
  /** Other processes remove files too. */
  const compare = () => cache.contents().then(dropGone).catch(onFault);
  let comparing = compare();
  const timer = setInterval(() => (comparing = compare()), comparedEveryMs).unref();
  return {
    metadata: overTransactions(metadata, (tx) => {
      const { contents } = tx;
      return overlaid(tx, {
        contents: overlaid(contents, {
          async release(contentId) {
            await contents.release(contentId);
            tx.afterCommit(() => {
              if (!cache.has(contentId)) return;
              released.add(contentId);
              dropReleased.nudge();
            });
          },
        }),
      });
    }),
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([dropReleased.stop(), comparing]);
    },
  };
}
