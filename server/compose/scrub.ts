import type { Metadata } from '#server/domain/ports/metadata.ts';
import { scrub } from '#server/domain/store-check/scrub.ts';
import type { Stores } from '../stores/open.ts';

/** Returns a function that runs the scrub over the given store. */
export function scrubWith(stores: Stores, signal: AbortSignal): (metadata: Metadata) => Promise<number> {
  return (metadata) => scrub({ metadata, scrub: stores.scrub, signal }, stores.clock.now());
}
