import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = 'br' | 'gzip';

/** Text compressed in a thread. Level 9 of brotli makes 2.6 MB a fifth in half a second, 11 a bit smaller in seven. */
export function compress(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return zip(bytes, { level: 9 });
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/**
 * The encoding in which a client takes an answer best; undefined for none.
 *
 * @see RFC 9110, section 12.5.3: a weight of 0 refuses, `*` stands for those that are not named
 */
export function encodingFor(req: Pick<IncomingMessage, 'headers'>): Encoding | undefined {
  const header = [req.headers['accept-encoding']].flat().join(',');
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters
        .map((text) => /^q=(\d(?:\.\d{0,3})?)$/.exec(text)?.[1])
        .find((text) => text !== undefined);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = (['br', 'gzip'] as const)
    .filter((name) => weightOf(name) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}
