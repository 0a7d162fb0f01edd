import { createHash } from 'node:crypto';

import type { Body } from '../draft.ts';
import type { World } from '../world.ts';
import { serverClock } from '../server-clock.ts';

/** Returns the bytes of a file: few, and now and then more than the database stores itself. */
export function someContent({ random }: World): Buffer {
  const length = random.weighted([
    [90, random.between(512, 2500)],
    [6, random.between(10_000, 40_000)],
    [1, random.between(100_000, 400_000)],
    [2, random.pick([512, 16_384, 16_385])],
  ]);
  return random.bytes(length);
}

/** Returns a form with a file. */
export function formWithFile({ random }: World, content: Buffer, named?: string): Body {
  const filename = named ?? random.pick(['a.txt', 'photo.png', 'é漢.html', 'no-extension', 'x.tar.gz', 'data.json']);
  const type = random.pick(['text/plain', 'image/png', 'text/html; charset=utf-8', 'application/octet-stream']);
  return { kind: 'multipart', parts: [{ name: 'file', filename, type, content }] };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns metadata as a query parameter carries it. */
export function someMetadata({ random }: World): string | undefined {
  if (random.chance(0.7)) return undefined;
  return JSON.stringify({ [random.text('abc', 3)]: random.text('xyz é', 8) });
}

const conditionNames = ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range'] as const;

/** Returns the headers of a download: most often none, else a range or conditions. */
export function someConditions(world: World): Record<string, string> {
  const { random } = world;
  if (random.chance(0.5)) return {};
  const headers: Record<string, string> = {};
  if (random.chance(0.6))
    headers.Range = random.pick([
      'bytes=0-99',
      'bytes=-5',
      'bytes=100-',
      'bytes=0-0',
      'bytes=0-0,5-9',
      'bytes=511-',
      'bytes=0-99999999',
    ]);
  if (random.chance(0.5)) {
    const name = random.pick(conditionNames);
    const etag = world.some('etag') ?? '"9e107d9d372bb6826bd81d3542a419d6"';
    const date = new Date(serverClock.now() - random.below(2) * 86_400_000).toUTCString();
    headers[name] = name.endsWith('Since') ? date : random.pick([etag, '*', `W/${etag}`, `"a", ${etag}`, date]);
  }
  return headers;
}
