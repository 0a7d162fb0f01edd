/**
 * Returns the address of a variant of an image, with the signature of your account. Call it on a server. The key can sign
 * every variant, so no page may have it.
 *
 * @param url the address of a public file, or a temporary link
 * @param key the signing key of the account, from `getImageKey()`
 */
export async function sign(url, { w, h, fit = 'contain', q, f = 'auto' }, key) {
    const address = new URL(url);
    const fields = Object.entries({ w, h, fit, q, f }).filter(([, value]) => value !== undefined);
    const variant = fields.map(([name, value]) => `${name}=${value}`).join('&');
    for (const [name, value] of fields)
        address.searchParams.set(name, String(value));
    address.searchParams.set('sig', await hmac(key, `${address.pathname}?${variant}`));
    return address.href;
}
async function hmac(key, text) {
    const { subtle } = globalThis.crypto;
    const encoder = new TextEncoder();
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const imported = await subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
    const bytes = new Uint8Array(await subtle.sign(algorithm.name, imported, encoder.encode(text)));
    return btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
}
