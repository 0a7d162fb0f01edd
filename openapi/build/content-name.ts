import { createHash } from 'node:crypto';

/** Returns a file name with a hash of the content, which browsers may keep for good: `redoc.4f9a1c77.js`. */
export function contentName(name: string, ending: string, content: string): string {
  return `${name}.${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`;
}
