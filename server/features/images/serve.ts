import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import type { Given } from '#server/compose/given.ts';
import { presetsInForce } from './account-presets.ts';
import { dropReleased } from './backends/drop-released.ts';
import { imageProcesses } from './backends/render-process.ts';
import { imagesAccountHandlers } from './handlers/account.ts';
import { servedVariants } from './handlers/image-variant.ts';
import { presetsSettings } from './handlers/settings.ts';
import type { ImageRenderer } from './image-ports.ts';
import { ImageVariants } from './image-variants.ts';
import { encryptedVariants, plainVariants } from './stores/filesystem/variant-cipher.ts';
import { VariantFiles } from './stores/filesystem/variant-files.ts';

declare module '#server/compose/overrides.ts' {
  interface Overrides {
    /** Wraps what decodes images. */
    readonly imageRenderer?: (real: ImageRenderer) => ImageRenderer;
  }
}

/** Makes variants, unless they are off. Then it removes what an earlier server has kept. */
export function serve({ config, stores, core, releases, metrics, overrides, log }: Given) {
  const always = { handlers: () => imagesAccountHandlers(core), settingsPart: presetsSettings };
  const folder = join(config.dataDir, 'variants');
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  if (!config.images.isOn) {
    // No stop waits for it: the next start goes on.
    const begin = () => void rm(folder, { recursive: true, force: true }).catch(onFault);
    return { ...always, work: { begin, stop: async () => {} } };
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
  const renderer = overrides.imageRenderer?.(processes) ?? processes;
  // One processor is left for requests.
  const parallel = Math.max(1, availableParallelism() - 1);
  const variants = new ImageVariants({ blobs, cache, renderer, clock, parallel });
  metrics.watchQueue('image-variants', () => variants.waiting);
  const dropping = dropReleased({ metadata, releases }, cache, onFault);
  const presetsOf = (accountId: string) => presetsInForce(metadata, config.images.presets, accountId);
  return {
    ...always,
    ports: { variants: servedVariants({ secrets, variants, presetsOf }) },
    work: {
      begin() {
        cache.begin();
        dropping.begin();
      },
      async stop() {
        await using stopping = new AsyncDisposableStack();
        stopping.defer(() => cache.close());
        stopping.defer(() => dropping.stop());
        processes.close();
      },
    },
  };
}
