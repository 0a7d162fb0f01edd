import { statusesOf } from './load.ts';

/*
 * Guesses at the password of a link, in a process of its own, so that what a guess costs whoever sends it does not count as the
 * server's: `shares.ts` starts it, with the lowest priority.
 */

/** What it is started with, as JSON in its first argument. */
export interface Guessing {
  /** Of the link. */
  readonly url: string;
  readonly guesses: number;
  readonly connections: number;
  /** Undefined for as many as it can. */
  readonly perSecond: number | undefined;
}

/** What it tells at its end. */
export interface Guessed {
  /** How many guesses got each status. */
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

/** The form of the password page, each time from another address. */
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
