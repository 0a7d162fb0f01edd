import type { Cdn } from '#server/domain/ports/cdn.ts';

/** No CDN is told of anything: whatever stands in front of the public host forgets by itself (`max-age`). */
export const noCdn: Cdn = { purge: async () => {} };
