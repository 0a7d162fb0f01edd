// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from '../upload-error.js';
/**
 * Gets upload tokens from an address of the page's own server: a POST, with the page's cookies, answered in JSON with
 * `token`, either at the top or as Cubby itself answers it, in `response`.
 */
export function tokenFrom(address) {
    return async () => {
        if (address === null)
            throw noCredential('<cubby-upload> needs "token-url", or its property "credential"', false);
        const answer = await fetch(address, { method: 'POST', credentials: 'same-origin', cache: 'no-store' }).catch((cause) => {
            // The line is down here as it is there.
            throw new UploadError({
                code: 'NETWORK_ERROR',
                message: `${address} cannot be reached. Look at your network connection, then try again.`,
                retryable: true,
                cause,
            });
        });
        if (!answer.ok)
            throw noCredential(`${address} answered ${answer.status}`, answer.status >= 500 || answer.status === 429);
        const body = (await answer.json().catch(() => ({})));
        const token = body.token ?? body.response?.token;
        if (typeof token !== 'string')
            throw noCredential(`${address} answered without "token"`, false);
        return token;
    };
}
/** @param retryable whether it may well be given a moment later */
function noCredential(message, retryable) {
    return new UploadError({ code: 'NO_CREDENTIAL', message, retryable });
}
