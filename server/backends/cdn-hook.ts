import { setTimeout as sleep } from 'node:timers/promises';

import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';

export interface CdnHookOptions {
  /** An http or https address; a user name and a password in it are sent as Basic authorization. */
  readonly url: string;
  /** How long one try may take until its status is there. */
  readonly timeoutMs?: number;
  /** How long to wait before each further try. */
  readonly pausesMs?: readonly number[];
}

/** What one try came to: `undefined` when it was agreed to. */
interface Failure {
  /** For people and logs. Never the address, which may hold a secret, nor anything that the hook has said. */
  readonly words: string;
  /** Whether the same call may succeed in a moment. */
  readonly isPassing: boolean;
}

/**
 * A CDN that is told by webhook: `POST` with `{"urls": […]}`. Any 2xx is its word that it drops them; a redirect is not
 * followed, since whoever answers there was not named by the operator.
 */
export function cdnHook({ url, timeoutMs = 4000, pausesMs = [200, 1000] }: CdnHookOptions): Pick<Cdn, 'purge'> {
  const target = targetOf(url);
  return {
    async purge(urls) {
      for (let tries = 0; ; tries++) {
        const failure = await tryOnce(target, urls, timeoutMs);
        if (!failure) return;
        const pauseMs = failure.isPassing ? pausesMs[tries] : undefined;
        if (pauseMs === undefined) throw new CdnUnavailable(`The CDN purge hook ${failure.words}.`);
        await sleep(pauseMs);
      }
    },
  };
}

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** fetch() takes no address with a user name, and quotes it when it refuses. */
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
    return { words: wordsOf(error, timeoutMs), isPassing: true };
  }
  // The status says everything; a body may be endless, or never come.
  await response.body?.cancel().catch(() => {});
  if (response.ok) return undefined;
  const { status } = response;
  if (status >= 300 && status < 400)
    return {
      words: `answered ${status}, a redirect, which is not followed: set CUBBY_CDN_PURGE_URL to where it leads`,
      isPassing: false,
    };
  return { words: `answered ${status}`, isPassing: status >= 500 || status === 408 || status === 429 };
}

/** The code of the system alone: messages of errors quote what they could not use. */
function wordsOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not answer within ${timeoutMs / 1000} seconds`;
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return `could not be reached (${typeof cause?.code === 'string' ? cause.code : 'no connection'})`;
}
