import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

import type { StoredRow, StoredRows } from './stored.ts';

/** The key-encryption key of tests that name none. */
export const testKeyEncryptionKey = 'a key-encryption key of the tests';

const [segmentBytes, tagBytes, nonceBytes] = [65_536, 16, 12];

/** Returns the bytes of a blob, or of a row, as they were before the server encrypted them. */
export type Decrypt = (blobId: string, kept: Uint8Array) => Buffer;

/** Returns how many bytes are stored for a blob of a size. */
export function storedBytes(blobId: string, sizeBytes: number): number {
  return blobId.includes('.') ? sizeBytes + tagBytes * (Math.floor(sizeBytes / segmentBytes) + 1) : sizeBytes;
}

/**
 * Decrypts the blobs of a database as DECISIONS, "Data keys follow from the id of the blob", says, past the server's
 * own code.
 */
export async function decryption(rows: StoredRows, secret = testKeyEncryptionKey): Promise<Decrypt> {
  const wrappingKey = Buffer.from(hkdfSync('sha256', secret, 'cubby', 'key-encryption-key:wrap', 32));
  const roots = new Map<string, Buffer>();
  for (const row of await rows.all('SELECT root_id, wrapped FROM root_keys')) {
    const root = unwrapped(row, wrappingKey);
    if (root) roots.set(String(row.root_id), root);
  }
  return (blobId, kept) => {
    const [, rootId] = blobId.split('.');
    if (rootId === undefined) return Buffer.from(kept);
    const key = createHmac('sha256', roots.get(rootId)!).update(`cubby blob ${blobId}`).update(Buffer.of(1)).digest();
    return opened(key, Buffer.from(kept));
  };
}

function unwrapped({ root_id: rootId, wrapped }: StoredRow, key: Buffer): Buffer | undefined {
  const bytes = Buffer.from(wrapped as Uint8Array);
  try {
    return gcm(key, bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes), Buffer.from(String(rootId)));
  } catch {
    return undefined;
  }
}

function opened(key: Buffer, kept: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let index = 0; ; index++) {
    const nonce = Buffer.alloc(nonceBytes);
    nonce.writeUInt32BE(index, 8);
    const sealed = kept.subarray(index * (segmentBytes + tagBytes), (index + 1) * (segmentBytes + tagBytes));
    parts.push(gcm(key, nonce, sealed));
    if (sealed.length < segmentBytes + tagBytes) return Buffer.concat(parts);
  }
}

function gcm(key: Buffer, nonce: Buffer, sealed: Buffer, bound?: Buffer): Buffer {
  const opening = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(sealed.subarray(-tagBytes));
  if (bound) opening.setAAD(bound);
  return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()]);
}
