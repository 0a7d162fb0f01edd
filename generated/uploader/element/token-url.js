// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from '../upload-error.js';
/**
 * Returns a function that requests an upload token from the page's own server. It sends a POST with the page's cookies.
 * The JSON response holds `token` at the top, or in `response` as Cubby's own does.
 */
export function tokenFrom(address) {
    return async () => {
        if (address === null)
            throw noCredential('<cubby-upload> has no credential. Set the attribute "token-url" or the property "credential".', false);
        const answer = await fetch(address, { method: 'POST', credentials: 'same-origin', cache: 'no-store' }).catch((cause) => {
            // The network is down here as well.
            throw new UploadError({
                code: 'NETWORK_ERROR',
                message: `${address} cannot be reached. Check your network connection, then try again.`,
                retryable: true,
                cause,
            });
        });
        if (!answer.ok)
            throw noCredential(`${address} answered with status ${answer.status}. It must answer 200 and JSON with "token".`, answer.status >= 500 || answer.status === 429);
        const body = (await answer.json().catch(() => ({})));
        const token = body.token ?? body.response?.token;
        if (typeof token !== 'string')
            throw noCredential(`${address} answered without "token". It must answer JSON with "token": a string.`, false);
        return token;
    };
}
/** @param retryable whether a later attempt may succeed */
function noCredential(message, retryable) {
    return new UploadError({ code: 'NO_CREDENTIAL', message, retryable });
}
