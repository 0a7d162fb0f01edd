import type { Part } from './chunk-plan.ts';
import { sha256 } from './sha256.ts';

/** Returns the SHA-256 of a part of the file, or `undefined` without WebCrypto. Each part is read only once. */
export type PartSums = (part: Part) => Promise<string | undefined>;

export function partSumsOf(file: Blob): PartSums {
  const known = new Map<string, string | undefined>();
  return async ({ startBytes, endBytes }) => {
    const place = `${startBytes}-${endBytes}`;
    if (!known.has(place)) known.set(place, await sha256(file.slice(startBytes, endBytes)));
    return known.get(place);
  };
}
