import { within } from './time-limits.ts';

/** A look whether a server answers at all. */
export interface Probe {
  /** Whether there is a connection left for it beside so many requests. */
  fits(requests: number): boolean;
  /** Whether anything answers within the time; throws only the signal's reason. */
  ask(ms: number, signal: AbortSignal): Promise<boolean>;
}

/**
 * A browser opens six connections to a server over HTTP/1.1 and keeps further requests waiting. Another upload may have three, and
 * its own probe one.
 */
const mostBeside = 2;

export function probeOf(baseUrl: string, given?: typeof fetch): Probe {
  const ask = given ?? fetch;
  const address = `${baseUrl.replace(/\/+$/, '')}/livez`;
  const isLimited = typeof XMLHttpRequest !== 'undefined';
  return {
    fits: (requests) => !isLimited || requests <= mostBeside,
    async ask(ms, signal) {
      try {
        // Any answer will do, so it need not be readable. A Request, which is what a given fetch gets of the others too.
        const look = (limit: AbortSignal) =>
          ask(new Request(address, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal: limit }));
        await within(ms, signal, look);
        return true;
      } catch {
        signal.throwIfAborted();
        return false;
      }
    },
  };
}
