import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import type { Dispatcher } from 'undici';

import { hostOf } from './allowed-address.ts';

/** Looks up every address of a name. */
type LookUp = (host: string) => Promise<readonly LookupAddress[]>;

export interface SenderOptions {
  readonly isAllowed: (address: string, url: URL) => boolean;
  /** Says why an address is not called. */
  readonly refusedMessage?: string;
  readonly timeoutMs?: number;
  readonly lookUp?: LookUp;
}

/** An address that may not be called. */
class AddressRefused extends Error {}

const systemLookUp: LookUp = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/** A request to a host that an account has named. */
interface CheckedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** What to do about a redirect, for people. */
  readonly redirectAdvice: string;
}

/** The response of such a host. */
interface CheckedResponse {
  /** Null if there was none. */
  readonly status: number | null;
  /** Why it is no confirmation, for the account; null if it is one. */
  readonly error: string | null;
  /** The pause that the host asks for. */
  readonly retryAfterMs: number;
}

/** Posts to hosts that accounts have named. */
interface CheckedPost {
  /** Makes one attempt. It never rejects. */
  post(request: CheckedRequest): Promise<CheckedResponse>;
}

/**
 * Posts over a connection of its own for each attempt. The name is looked up and all its addresses are checked
 * within the connection, so it cannot lead to another address than the checked one. A redirect is not followed.
 */
export function checkedPost({
  isAllowed,
  refusedMessage = 'The host has an address of a private network, which the operator does not allow ' +
    '(CUBBY_WEBHOOK_ALLOW_PRIVATE).',
  timeoutMs = 15_000,
  lookUp = systemLookUp,
}: SenderOptions): CheckedPost {
  const checkedFor =
    (url: URL): LookupFunction =>
    (host, { all }, callback) => {
      lookUp(host).then(
        (addresses) => {
          const [first] = addresses;
          if (!first || !addresses.every(({ address }) => isAllowed(address, url)))
            return callback(new AddressRefused(refusedMessage), '', 4);
          // With `all`, Node takes the list in place of one address.
          if (all) callback(null, addresses as LookupAddress[]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 4),
      );
    };
  return {
    async post(message) {
      const url = new URL(message.url);
      const host = hostOf(url);
      // No name is looked up for an address, so it is checked here.
      if (isIP(host) !== 0 && !isAllowed(host, url)) return failure(new AddressRefused(refusedMessage), timeoutMs);
      // Loaded late, because most servers have no webhook and a start should not wait for it.
      const { Client } = await import('undici');
      const client = new Client(url.origin, { connect: { lookup: checkedFor(url), timeout: timeoutMs } });
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const { statusCode, headers, body } = await client.request(
          requestOf(url, message, AbortSignal.any([message.signal, timeout])),
        );
        // The status is enough. A body may be endless or never arrive.
        body.on('error', () => {}).destroy();
        return responseOf(statusCode, headers['retry-after'], message.redirectAdvice);
      } catch (error) {
        return failure(timeout.aborted ? timeout.reason : error, timeoutMs);
      } finally {
        client.destroy().catch(() => {});
      }
    },
  };
}

function requestOf(url: URL, { headers, body }: CheckedRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  return { method: 'POST', path: `${url.pathname}${url.search}`, headers, body, signal };
}

function responseOf(
  status: number,
  retryAfter: string | string[] | undefined,
  redirectAdvice: string,
): CheckedResponse {
  if (status >= 200 && status < 300) return { status, error: null, retryAfterMs: 0 };
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect
    ? `The endpoint answered ${status}, a redirect, which is not followed. ${redirectAdvice}`
    : `The endpoint answered ${status}.`;
  return { status, error, retryAfterMs: retryAfterMs(String(retryAfter ?? '')) };
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string): number {
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

/** Uses only the system's code: messages of errors may quote the address, which may have a secret in its path. */
function failure(error: unknown, timeoutMs: number): CheckedResponse {
  const { code, name } = error as { readonly code?: unknown; readonly name?: string };
  const reason =
    error instanceof AddressRefused
      ? error.message
      : name === 'TimeoutError'
        ? `The endpoint did not answer within ${timeoutMs / 1000} seconds.`
        : `The endpoint could not be reached (${typeof code === 'string' ? code : 'no connection'}).`;
  return { status: null, error: reason, retryAfterMs: 0 };
}
