import type { WireFault } from '../draft.ts';
import { Random } from '../random.ts';

/** Bytes for one connection. */
export interface Serialised {
  readonly bytes: Buffer;
  /** Whether the response may be one to bytes that are not a request. The connection is not used again. */
  readonly isFaulty: boolean;
  /** Whether the client closes its side after the bytes. */
  readonly endsEarly: boolean;
}

type Change = (bytes: Buffer, random: Random, url: string) => Buffer;

const addLine =
  (line: string): Change =>
  (bytes) => {
    const at = bytes.indexOf('\r\n') + 2;
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(`${line}\r\n`, 'latin1'), bytes.subarray(at)]);
  };

const replaceFirst =
  (find: RegExp, by: string | ((whole: string, ...groups: string[]) => string)): Change =>
  (bytes) => {
    const end = bytes.indexOf('\r\n\r\n') + 2;
    const head = bytes.toString('latin1', 0, end).replace(find, by as string);
    return Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(end)]);
  };

const cut = (bytes: Buffer, random: Random, from: number, to: number): Buffer =>
  bytes.subarray(0, Math.max(1, from + random.below(Math.max(1, to - from))));

/** Bytes that mean something in a head. */
const telling = Buffer.from('\r\n :;,=&?/%+.*"<>-_0aAZ~\0\t\x7f\xff', 'latin1');

const changes: Readonly<Record<WireFault, Change>> = {
  'half-head': (bytes, random) => cut(bytes, random, 1, bytes.indexOf('\r\n\r\n') + 3),
  'half-body': (bytes, random) => cut(bytes, random, bytes.indexOf('\r\n\r\n') + 4, bytes.length),
  'huge-length': (bytes, random, url) =>
    replaceFirst(
      /^content-length: .*$/im,
      `Content-Length: ${random.pick([104_857_601, 300_000_000, 2 ** 40, 2 ** 53])}`,
    )(bytes, random, url),
  'flipped-head': (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let count = random.between(1, 3); count > 0; count--)
      changed[random.below(bytes.indexOf('\r\n\r\n') + 4)] = random.chance(0.6)
        ? random.pick([...telling])
        : random.below(256);
    return changed;
  },
  'extra-line': (bytes, random) =>
    addLine(random.text('abcXYZ:\t -_=()<>@;\\"/[]?{}\x01\x7f\xe9', random.below(60)))(bytes, random, ''),
  'no-host': replaceFirst(/^host: .*\r\n/im, ''),
  'two-hosts': addLine('Host: other.invalid'),
  'bare-lf': replaceFirst(/\r\n/g, '\n'),
  folded: addLine('X-Folded: a\r\n b'),
  'nul-in-header': addLine('X-Nul: a\0b'),
  'space-before-colon': addLine('X-Space : a'),
  'two-lengths': addLine('Content-Length: 3\r\nContent-Length: 5'),
  'length-and-chunked': addLine('Transfer-Encoding: chunked\r\nContent-Length: 3'),
  'negative-length': addLine('Content-Length: -1'),
  'bad-chunk-size': (bytes, random) =>
    Buffer.concat([
      addLine('Transfer-Encoding: chunked')(
        replaceFirst(/^content-length: .*\r\n/im, '')(bytes, random, ''),
        random,
        '',
      ),
      Buffer.from(
        random.pick(['zz\r\nabc\r\n', '-1\r\n', 'ffffffffffffffff1\r\n', '3;\0\r\nabc\r\n', '3\r\nabcd\r\n']),
      ),
    ]),
  'old-version': replaceFirst(/HTTP\/1\.1/, 'HTTP/1.0'),
  'unknown-version': replaceFirst(/HTTP\/1\.1/, 'HTTP/3.7'),
  'absolute-form': (bytes, random, url) => replaceFirst(/ \//, ` ${new URL(url).origin}/`)(bytes, random, url),
  'absolute-elsewhere': replaceFirst(/ \//, ' http://elsewhere.invalid:99/'),
  'asterisk-form': replaceFirst(/ \S*/, ' *'),
  'lower-case-method': replaceFirst(/^\S+/, (method) => method.toLowerCase()),
  connect: replaceFirst(/^\S+ \S*/, 'CONNECT elsewhere.invalid:443'),
  'large-head': addLine(`X-Large: ${'x'.repeat(20_000)}`),
  'many-headers': addLine(Array.from({ length: 1500 }, (_, at) => `X-${at}: 1`).join('\r\n')),
  pipelined: (bytes) => Buffer.concat([bytes, bytes]),
  upgrade: addLine('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'),
  'unknown-expectation': addLine('Expect: 200-ok'),
  'only-noise': (_bytes, random) => Buffer.from(random.bytes(random.between(1, 300))),
};

export const wireFaults = Object.keys(changes) as WireFault[];

/** Faults after which the server may wait for more bytes. */
const incomplete: ReadonlySet<WireFault> = new Set(
  wireFaults.filter((kind) => kind !== 'pipelined' && kind !== 'connect'),
);

/** Changes the bytes of a request, always in the same way for the same seed. */
export function faulty(bytes: Buffer, { kind, seed }: { kind: WireFault; seed: number }, url: string): Serialised {
  return { bytes: changes[kind](bytes, new Random(seed), url), isFaulty: true, endsEarly: incomplete.has(kind) };
}
