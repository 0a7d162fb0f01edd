import { statusesOf } from './load.ts';

/*
 * Guesses the password of a link from its own process, so that the cost of sending does not count as the server's.
 * `shares.ts` starts it with the lowest priority.
 */

/** The first argument, as JSON. */
export interface Guessing {
  /** The link's address. */
  readonly url: string;
  readonly guesses: number;
  readonly connections: number;
  /** Undefined: as fast as possible. */
  readonly perSecond: number | undefined;
}

/** The message at the end. */
export interface Guessed {
  /** Number of guesses for each status. */
  readonly statuses: ReadonlyArray<readonly [number, number]>;
  readonly tookMs: number;
}

const { url, guesses, connections, perSecond } = JSON.parse(process.argv[2]!) as Guessing;

const { host, pathname } = new URL(url);
const startedAt = performance.now();
const statuses = await statusesOf({ url, connections, count: guesses, perSecond, request: guessRequest });
process.send!({ statuses: [...statuses], tookMs: performance.now() - startedAt } satisfies Guessed, () =>
  process.disconnect(),
);

/** Builds the form of the password page, each time from another address. */
function guessRequest(number: number): Buffer {
  const form = new URLSearchParams({ password: `guess number ${number}` }).toString();
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Accept: text/html',
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${form.length}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${form}`);
}
