// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Gets upload tokens from an address of the page's own server: a POST, with the page's cookies, answered in JSON with
 * `token`, either at the top or as Cubby itself answers it, in `response`.
 */
export function tokenFrom(address) {
    return async () => {
        if (address === null)
            throw new Error('<cubby-upload> needs "token-url", or its property "credential"');
        const answer = await fetch(address, { method: 'POST', credentials: 'same-origin', cache: 'no-store' });
        if (!answer.ok)
            throw new Error(`${address} answered ${answer.status}`);
        const body = (await answer.json());
        const token = body.token ?? body.response?.token;
        if (typeof token !== 'string')
            throw new Error(`${address} answered without "token"`);
        return token;
    };
}
