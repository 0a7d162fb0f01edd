/** The receipt is malformed, was changed, or was signed with another key. */
export class ReceiptInvalid extends Error {
    constructor(message) {
        super(message);
        this.name = 'ReceiptInvalid';
    }
}
/**
 * Verifies a receipt without asking the server. Works in Node, in browsers and at the edge.
 *
 * @param receipt as the upload or the download has returned it
 * @param keys the answer of `GET /v1/receipts/keys`, or its `keys`. Keep them: they change only with the master key
 * @returns what the receipt states
 * @throws {ReceiptInvalid} if it must not be trusted
 */
export async function verifyReceipt(receipt, keys) {
    return (await verified(receipt, keys, 'cubby-receipt'));
}
/**
 * Verifies the receipt of a sender to a file request. It is another kind: neither function takes the other's receipts.
 *
 * @param receipt as the page of the request offers it
 * @param keys as for `verifyReceipt()`
 * @throws {ReceiptInvalid} if it must not be trusted
 */
export async function verifySentReceipt(receipt, keys) {
    return (await verified(receipt, keys, 'cubby-sent-receipt'));
}
/** @param kind the `typ` of the receipt's head */
async function verified(receipt, keys, kind) {
    const [head, payload, signature, ...rest] = receipt.split('.');
    if (!head || !payload || !signature || rest.length > 0)
        throw new ReceiptInvalid('A receipt has three parts, joined by dots.');
    const { alg, typ, kid } = parsed(head);
    if (alg !== 'EdDSA' || typ !== kind)
        throw new ReceiptInvalid('This is no receipt of this kind.');
    const known = isList(keys) ? keys : keys.keys;
    const key = known.find((one) => one.kid === kid);
    if (!key || key.kty !== 'OKP' || key.crv !== 'Ed25519')
        throw new ReceiptInvalid('The receipt was signed with a key that is not among the given ones. Fetch them again.');
    const publicKey = await crypto.subtle.importKey('jwk', { kty: key.kty, crv: key.crv, x: key.x }, { name: 'Ed25519' }, false, ['verify']);
    const content = new TextEncoder().encode(`${head}.${payload}`);
    if (!(await crypto.subtle.verify('Ed25519', publicKey, bytesOf(signature), content)))
        throw new ReceiptInvalid('The signature does not match. The receipt was changed.');
    return parsed(payload);
}
function isList(keys) {
    return Array.isArray(keys);
}
function bytesOf(base64url) {
    let text;
    try {
        text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    }
    catch {
        throw new ReceiptInvalid('A part of the receipt is not base64url.');
    }
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
function parsed(base64url) {
    const bytes = bytesOf(base64url);
    let value;
    try {
        value = JSON.parse(new TextDecoder().decode(bytes));
    }
    catch {
        // `value` stays undefined, and the next line throws.
    }
    if (typeof value !== 'object' || value === null)
        throw new ReceiptInvalid('A part of the receipt is not JSON.');
    return value;
}
