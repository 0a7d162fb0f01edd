import type { Random } from '../random.ts';
import { serverClock } from '../server-clock.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const word = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${lower}${digits}`;
const nameRest = `${word}_-`;

type Sample = (random: Random, length: number) => string;

const segment: Sample = (random, length) => random.text(word, 1) + random.text(nameRest, Math.max(0, length - 1));

/** A folder of few names, so that files meet. */
const prefix: Sample = (random, length) => {
  if (length > 250) return Array.from({ length: 4 }, () => segment(random, 62)).join('/');
  const depth = random.between(1, 3);
  const names = Array.from({ length: depth }, () => random.pick(['a', 'b', 'docs', 'x-1', 'Y_2']));
  return `${names.join('/')}${random.chance(0.5) ? '/' : ''}`;
};

const time: Sample = (random) => {
  const at = new Date(serverClock.now() - random.below(40 * 86_400_000)).toISOString();
  return random.pick([at, at.replace('Z', '+02:00'), at.replace(/\.\d+Z/, 'Z')]);
};

const duration: Sample = (random) => random.pick(['1', '30', '1d', '365d', '1h', '24h']);

/**
 * A sample of each pattern of the contract's requests, by the pattern's text. Patterns have lookaheads, which no
 * general generator understands. `length` is the wanted length, where the pattern leaves it open.
 */
const samples: Readonly<Record<string, Sample>> = {
  '^[^\\u0000]*$': (random, length) => random.text(`${word}/ é`, length),
  '^(?!.*\\.\\.)(?!.*\\.$)(?!.*-ex[0-9]+h?$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$': (random, length) =>
    length > 100
      ? segment(random, 128)
      : `${segment(random, random.between(1, 6))}${random.pick(['', '.txt', '.png', '.html', '.tar.gz', '.json'])}`,
  '^((?!.*\\.\\.)(?=.{1,256}/?$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,7}/?)?$': (
    random,
    length,
  ) => (random.chance(0.3) ? '' : prefix(random, length)),
  '^(?!.*\\.\\.)(?=.{1,256}/?$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,7}/?$': prefix,
  '^[1-9][0-9]{0,5}[dh]?$': duration,
  '^([1-9][0-9]{0,5}[dh]?|never)$': (random, length) => (random.chance(0.2) ? 'never' : duration(random, length)),
  '^(content_type|original_name|metadata|sha256)(,(content_type|original_name|metadata|sha256)){0,3}$': (random) =>
    random.pick(['content_type', 'metadata,sha256', 'original_name,metadata', 'sha256,sha256']),
  '^(immutable|no-cache|max-age=[1-9][0-9]{1,7})$': (random) =>
    random.pick(['immutable', 'no-cache', 'max-age=60', 'max-age=3600', 'max-age=31536000']),
  '^[a-z_]{1,64}$': (random) => random.pick(['answered', 'aborted', 'invalid_request', 'server_overloaded']),
  '^[0-9a-f]{64}$': (random) => random.text('0123456789abcdef', 64),
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*$': (random, length) => random.text(`${word} é`, Math.min(length, 40)),
  '^[^\\u0000-\\u001f\\u007f-\\u009f/\\\\]*$': (random, length) =>
    random.text(word, 1) + random.text(`${word} é.`, Math.min(Math.max(0, length - 1), 40)),
  '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$': (random, length) =>
    random.text(`${word} é\n`, Math.min(Math.max(1, length), 40)),
  '^(?!cubby-)[a-z0-9-]{1,64}$': (random, length) =>
    random.text(`${lower}${digits}`, Math.min(Math.max(1, length), 64)),
  '^[A-Za-z0-9._~-]+$': (random, length) => random.text(word, Math.max(1, length)),
  '^[^/\\s]+/[^/\\s]+(\\s*;.*)?$': (random) =>
    random.pick(['text/plain', 'image/png', 'text/html; charset=utf-8', 'application/x-odd', 'a/b']),
  '^[a-z0-9]{1,16}(\\.[a-z0-9]{1,16})?$': (random) => random.pick(['txt', 'png', 'tar.gz', 'html', 'json']),
  '^[a-z][a-z0-9+.-]*://[^/?#@\\s]+$': (random) => `https://${random.text(lower, 5)}.invalid`,
  '^[A-Za-z0-9_-]{16,64}$': (random) => random.text(nameRest, random.between(16, 64)),
  '^(?!\\s*$)[^\\u0000-\\u001f\\u007f]{1,64}$': (random, length) =>
    random.text(`${word}é`, Math.min(Math.max(1, length), 64)),
  '^[!-~]{1,64}$': (random) => `app_${random.text(lower, 10)}`,
  '^[A-Za-z0-9_-]{1,64}$': (random) => random.text(nameRest, random.between(1, 64)),
  '^[\\x20-\\x7e]{1,255}$': (random, length) => random.text(`${word} !~`, Math.min(Math.max(1, length), 255)),
  '^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]{1,64}$': (random, length) =>
    random.text(`${word} é漢`, Math.min(Math.max(1, length), 64)),
  '^[a-z]+:[a-z]+( [a-z]+:[a-z]+)*$': (random) => random.pick(['blob:read', 'blob:read blob:write', 'apps:read']),
  '^[\\x20-\\x7e]{1,100}$': (random, length) => random.text(`${word} !~`, Math.min(Math.max(1, length), 100)),
  '^[0-9a-f]{40}([0-9a-f]{24})?$': (random) => random.text('0123456789abcdef', random.pick([40, 64])),
  '^[0-9a-z]{1,100}$': (random) => random.text(`${lower}${digits}`, random.between(20, 40)),
  '^[0-9]{18}$': (random) => random.text('123456789', 18),
  '^[a-z0-9][a-z0-9-]{0,31}$': (random) => random.pick(['thumb', 'wide', 'a-1']),
  '^[a-z]{1,32}$': (random) => random.text(lower, random.between(1, 32)),
  '^[a-z-]{1,64}$': (random) => random.text(lower, random.between(1, 64)),
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': (random) =>
    new Date(serverClock.now() - random.below(40 * 86_400_000)).toISOString().slice(0, 10),
  '^(day|key|model)(,(day|key|model)){0,2}$': (random) => random.pick(['day', 'key', 'day,key,model']),
  '^[!-~]{1,128}$': (random) => random.pick(['cubic', 'cubic-embeddings']),
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+ -][0-9]{2}:[0-9]{2})$': time,
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?(Z|[ +-][0-9]{2}:[0-9]{2})$': time,
  '^(0|[1-9][0-9]{0,14}):[0-9a-f]{64}$': (random) => `${random.below(1000)}:${random.text('0123456789abcdef', 64)}`,
};

/**
 * Returns a text that matches a pattern of the contract.
 *
 * @throws if the pattern is new here
 */
export function sampleOf(pattern: string, random: Random, length: number): string {
  const sample = samples[pattern];
  if (!sample) throw new Error(`test/fuzz/make/patterns.ts has no sample of ${pattern}. Add one.`);
  return sample(random, length);
}
