import { within } from './time-limits.ts';

/** Checks whether a server responds at all. */
export interface Probe {
  /** Returns whether the browser has a free connection for the probe beside this many requests. */
  fits(requests: number): boolean;
  /** Returns whether any response comes within the time. Throws only the signal's reason. */
  ask(ms: number, signal: AbortSignal): Promise<boolean>;
}

/**
 * A browser opens six connections to a server over HTTP/1.1 and queues further requests. Another upload may use three
 * of them, and its probe one.
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
        // Any response counts, so it may be opaque. A caller's `fetch` always gets a Request, here as elsewhere.
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
