// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { within } from './time-limits.js';
/**
 * A browser opens six connections to a server over HTTP/1.1 and keeps further requests waiting. Another upload may have three, and
 * its own probe one.
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
                // Any answer will do, so it need not be readable. A Request, which is what a given fetch gets of the others too.
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
