import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Releases } from '#server/domain/ports/releases.ts';
import { debouncer } from '#server/jobs/debouncer.ts';
import type { VariantCache } from '../image-ports.ts';

/** How often the cache is compared with the files. In between, it follows the changes of this process. */
const comparedEveryMs = 3_600_000;

/** Contents that are looked up in one transaction. */
const batchSize = 100;

interface Deps {
  readonly metadata: Metadata;
  readonly releases: Releases;
}

/** Removes the variants of files that are gone. Nobody can ask for them any more, but they show what the files did. */
export function dropReleased({ metadata, releases }: Deps, cache: VariantCache, onFault: (error: unknown) => void) {
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
  const dropping = debouncer({
    async run() {
      const contentIds = [...released];
      released.clear();
      await dropGone(contentIds);
    },
    onFault,
  });
  /** Other processes remove files too. */
  const compare = () => cache.contents().then(dropGone).catch(onFault);
  let comparing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      releases.follow((contentId) => {
        if (!cache.has(contentId)) return;
        released.add(contentId);
        dropping.nudge();
      });
      comparing = compare();
      timer = setInterval(() => (comparing = compare()), comparedEveryMs).unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([dropping.stop(), comparing]);
    },
  };
}
