// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { ConnectionBroke } from './xhr-fetch.js';
/** Failures of Node's `fetch` before a connection stood. */
const beforeConnection = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
];
/** Whether the server cannot have had the whole request, going by why there is no answer. */
export function isCertainlyUnsent(failure) {
    if (failure instanceof ConnectionBroke)
        return !failure.isAllSent;
    const cause = failure instanceof Error ? failure.cause : undefined;
    return (typeof cause === 'object' && cause !== null && 'code' in cause && beforeConnection.includes(String(cause.code)));
}
