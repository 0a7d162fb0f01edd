import { setTimeout as sleep } from 'node:timers/promises';

import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { untraced, type CallTracing } from '#server/telemetry/tracing.ts';

export interface CdnHookOptions {
  /** An http or https URL. A user name and a password in it are sent as Basic authorization. */
  readonly url: string;
  /** Time limit of one try, until the status of the response arrives. */
  readonly timeoutMs?: number;
  /** The pause before each further try. No more tries follow the last pause. */
  readonly pausesMs?: readonly number[];
  readonly tracing?: CallTracing;
}

/** The reason why one try failed. */
interface Failure {
  /** For people and logs. Never contains the URL, which may hold a secret, or text of the response. */
  readonly reason: string;
  /** Whether the same call may succeed later. */
  readonly isPassing: boolean;
}

/**
 * A CDN that is purged by webhook: `POST` with `{"urls": […]}`. Any 2xx status confirms the purge. A redirect is not
 * followed, because the operator did not configure its target.
 */
export function cdnHook({ url, timeoutMs = 4000, pausesMs = [200, 1000], tracing = untraced }: CdnHookOptions): {
  purge(urls: readonly string[]): Promise<void>;
} {
  const target = targetOf(url);
  const { hostname: address } = new URL(target.url);
  const tryTraced = (urls: readonly string[]) =>
    tracing.call('purge CDN', { 'server.address': address, 'cubby.urls': urls.length }, async (span) => {
      const headers = { ...target.headers, ...span.headers };
      const failure = await tryOnce({ ...target, headers }, urls, timeoutMs);
      if (failure) span.failed(failure.isPassing ? 'unavailable' : 'refused');
      return failure;
    });
  return {
    async purge(urls) {
      for (let tries = 0; ; tries++) {
        const failure = await tryTraced(urls);
        if (!failure) return;
        const pauseMs = failure.isPassing ? pausesMs[tries] : undefined;
        if (pauseMs === undefined) throw new CdnUnavailable(`The CDN purge hook ${failure.reason}.`);
        await sleep(pauseMs);
      }
    },
  };
}

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** fetch() rejects a URL with a user name, and quotes the URL in its error. */
function targetOf(url: string): Target {
  const parsed = new URL(url);
  const credentials = [parsed.username, parsed.password].map(decodeURIComponent).join(':');
  parsed.username = '';
  parsed.password = '';
  return {
    url: parsed.href,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Cubby',
      ...(credentials !== ':' && { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  };
}

async function tryOnce(
  { url, headers }: Target,
  urls: readonly string[],
  timeoutMs: number,
): Promise<Failure | undefined> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ urls }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    return { reason: describeError(error, timeoutMs), isPassing: true };
  }
  // The status is enough. A body may be endless or never arrive.
  await response.body?.cancel().catch(() => {});
  if (response.ok) return undefined;
  const { status } = response;
  if (status >= 300 && status < 400)
    return {
      reason: `answered ${status}, a redirect, which is not followed: set CUBBY_CDN_PURGE_URL to where it leads`,
      isPassing: false,
    };
  return { reason: `answered ${status}`, isPassing: status >= 500 || status === 408 || status === 429 };
}

/** Uses only the system's error code: messages of errors may quote the URL. */
function describeError(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not answer within ${timeoutMs / 1000} seconds`;
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return `could not be reached (${typeof cause?.code === 'string' ? cause.code : 'no connection'})`;
}
