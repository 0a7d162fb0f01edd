import type { Ids } from '#server/domain/ports/ids.ts';
import { randomIds } from '#server/stores/system/ids.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns the base-32 text of a number. */
function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = letters[rest % 32]! + text;
  return text;
}

/** Returns an id that `countedIds()` gives. Ids that follow each other lie in different folders of blobs. */
export function countedId(number: number): string {
  return `${base32(number % 1024, 2)}counted${base32(number, 17)}`;
}

/** Ids that a test can foresee, so that it knows the paths of blobs. The first is `countedId(from)`. */
export function countedIds(from: number): Ids {
  let next = from;
  const counted = () => countedId(next++);
  return { ...randomIds, opaqueId: counted, blobId: counted };
}
