/** Smaller buffers cost little, and may share their memory with others. */
const leastBytes = 16 * 1024;

/**
 * Gives the memory of a large buffer back now. It would else count as used until the next garbage collection, and
 * enough of it causes a collection of the whole heap, which costs more than to decrypt it. Does nothing on Node.js 20.
 *
 * @param bytes nobody may use them any more, the system neither: a write of them must have ended. A part of a buffer is
 *   left alone
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  const isWhole = byteLength === buffer.byteLength && byteLength >= leastBytes;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer?.(0);
}
