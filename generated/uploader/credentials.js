// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from './upload-error.js';
export function credentialsFrom(credential) {
    if (typeof credential === 'string')
        return fixed(credential, 'Authorization');
    if (typeof credential === 'object')
        return fixed(credential.csrfToken, 'X-Cubby-CSRF');
    const ask = async (refused) => {
        try {
            return await credential(refused);
        }
        catch (cause) {
            if (cause instanceof UploadError)
                throw cause;
            const message = 'The page could not get a credential for the upload. Reload the page or sign in again, then try once more.';
            throw new UploadError({ code: 'NO_CREDENTIAL', message, retryable: true, cause });
        }
    };
    let latest;
    const remember = (asked) => {
        latest = asked;
        asked.catch(() => void (latest === asked && (latest = undefined)));
        return asked;
    };
    return {
        canRenew: true,
        header: 'Authorization',
        current: () => latest ?? remember(ask()),
        async renew(refused) {
            // Six parts can be refused at once. One new credential is enough for all of them.
            const held = latest;
            const known = await held;
            if (known !== refused && known !== undefined)
                return known;
            return latest === held ? remember(ask(refused)) : latest;
        },
    };
}
function fixed(credential, header) {
    return { canRenew: false, header, current: async () => credential, renew: async () => credential };
}
/**
 * Returns whether this is an upload token. Only the token that opened an upload can access it, so it is kept for
 * resuming. Leaking it risks far less than a key.
 */
export function isUploadToken(credential) {
    return credential.startsWith('cbup_');
}
