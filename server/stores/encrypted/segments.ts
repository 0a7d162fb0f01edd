import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

import { releaseMemory } from '../release-memory.ts';
import { segmentBytes, tagBytes } from './sizes.ts';

const cipher = 'aes-256-gcm';

/**
 * Returns the nonce of a segment: its index. Each blob has its own key and is written once, so no nonce repeats under
 * one key. It also makes swapped segments fail.
 */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 6, 6);
  return nonce;
}

interface ClearSegments {
  /** Of the first segment, from 0. */
  readonly index: number;
  /** Whole segments, or any number of bytes if they are the last of the blob. */
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/**
 * Encrypts segments that follow each other.
 *
 * @param memory for the result. Left out, it is made
 */
export function sealSegments(key: KeyObject, { index, bytes, isLast }: ClearSegments, memory?: Uint8Array): Uint8Array {
  const count = Math.floor(bytes.byteLength / segmentBytes) + (isLast ? 1 : 0);
  const sealed = memory ?? Buffer.allocUnsafe(bytes.byteLength + count * tagBytes);
  let used = 0;
  for (let at = 0; at < count; at++) {
    const sealing = createCipheriv(cipher, key, nonceOf(index + at));
    const part = sealing.update(bytes.subarray(at * segmentBytes, (at + 1) * segmentBytes));
    sealing.final();
    sealed.set(part, used);
    sealed.set(sealing.getAuthTag(), used + part.byteLength);
    used += part.byteLength + tagBytes;
    releaseMemory(part);
  }
  return sealed.subarray(0, used);
}

/**
 * Decrypts one segment. Release the memory of the result if it is large.
 *
 * @throws an error of `node:crypto` if these are not the bytes of this segment of this blob
 */
export function openSegment(key: KeyObject, index: number, sealed: Uint8Array): Buffer {
  const opening = createDecipheriv(cipher, key, nonceOf(index), { authTagLength: tagBytes });
  opening.setAuthTag(sealed.subarray(-tagBytes));
  const bytes = opening.update(sealed.subarray(0, -tagBytes));
  opening.final();
  return bytes;
}
