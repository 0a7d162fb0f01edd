import type { Config } from '#server/config/config.ts';
import { publicUrl } from '#server/domain/objects/public-url.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Log } from '#server/log.ts';
import { cdnHook } from './cdn-hook.ts';
import { reportingPublicChanges } from './public-changes.ts';
import { purgeQueue } from './purge-queue.ts';

/** The CDN in front of the public host. */
interface OpenCdn {
  readonly cdn: Cdn;
  /** Returns the same store, with its changes passed on to the CDN. */
  watch(metadata: Metadata): Metadata;
  /** Purges the URLs that wait. */
  close(): Promise<void>;
}

/** Purges nothing. Caches in front of the public host expire by `max-age`. */
const noCdn: OpenCdn = {
  cdn: { purge: async () => {}, purgeLater: () => {} },
  watch: (metadata) => metadata,
  close: async () => {},
};

/** Connects to the configured CDN, or to none. */
export function openCdn({ cdnPurgeUrl: url, urls }: Pick<Config, 'cdnPurgeUrl' | 'urls'>, log: Log): OpenCdn {
  const publicHost = urls.public;
  if (url === undefined || publicHost === undefined) return noCdn;
  const queue = purgeQueue({
    cdn: cdnHook({ url }),
    onFault: (error) => log.error({ job: 'cdn-purge', error }, 'fault'),
  });
  return {
    cdn: queue,
    watch: (metadata) =>
      reportingPublicChanges(metadata, (files) =>
        queue.purgeLater(files.map((file) => publicUrl(publicHost, file)).filter((address) => address !== null)),
      ),
    close: () => queue.stop(),
  };
}
