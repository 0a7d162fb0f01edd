import { maxMetadataBytes, maxMetadataKeys } from './limits.ts';

/** Whether a value is metadata: at most 5 valid keys, string values without control characters, 512 bytes in all. */
export function isMetadata(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  if (entries.length > maxMetadataKeys) return false;
  let bytes = 0;
  for (const [key, text] of entries) {
    if (!/^[a-z0-9-]{1,64}$/.test(key) || key.startsWith('cubby-')) return false;
    // Values become header values, which a line end would cut.
    if (typeof text !== 'string' || !text.isWellFormed() || /\p{Cc}/u.test(text)) return false;
    bytes += Buffer.byteLength(key) + Buffer.byteLength(text);
  }
  return bytes <= maxMetadataBytes;
}

/** Whether a text is one JSON object of metadata. */
export function isMetadataText(text: string): boolean {
  try {
    return isMetadata(JSON.parse(text));
  } catch {
    return false;
  }
}
