// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { ConnectionBroke } from './xhr-fetch.js';
/** Errors of Node's `fetch` from before the connection was open. */
const beforeConnection = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
];
/** Returns whether this failure proves that the server did not receive the whole request. */
export function isCertainlyUnsent(failure) {
    if (failure instanceof ConnectionBroke)
        return !failure.isAllSent;
    const cause = failure instanceof Error ? failure.cause : undefined;
    return (typeof cause === 'object' && cause !== null && 'code' in cause && beforeConnection.includes(String(cause.code)));
}
