// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { within } from './time-limits.js';
/**
 * A browser opens six connections to a server over HTTP/1.1 and queues further requests. Another upload may use three
 * of them, and its probe one.
 */
const mostBeside = 2;
export function probeOf(baseUrl, given) {
    const ask = given ?? fetch;
    const address = `${baseUrl.replace(/\/+$/, '')}/livez`;
    const isLimited = typeof XMLHttpRequest !== 'undefined';
    return {
        fits: (requests) => !isLimited || requests <= mostBeside,
        async ask(ms, signal) {
            try {
                // Any response counts, so it may be opaque. A caller's `fetch` always gets a Request, here as elsewhere.
                const look = (limit) => ask(new Request(address, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal: limit }));
                await within(ms, signal, look);
                return true;
            }
            catch {
                signal.throwIfAborted();
                return false;
            }
        },
    };
}
