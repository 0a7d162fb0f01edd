// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { abortChunkedUpload, completeChunkedUpload, createClient, createConfig, getChunkedUpload, getObjectInfo, putChunkedPart, startChunkedUpload, uploadObject, } from '../client/index.js';
import { answerError } from './answer-error.js';
import { unlessAborted, within } from './time-limits.js';
import { UploadError } from './upload-error.js';
import { xhrFetch } from './xhr-fetch.js';
/** Time limit of a request with a small body. */
const answerWithinMs = 60_000;
/** Returns the receipt of an answer, as a field that is absent without one. */
function receiptIn(response) {
    const receipt = response.headers.get('X-Cubby-Receipt');
    return receipt === null ? {} : { receipt };
}
/** Returns the field alone. */
export function receiptOf({ receipt }) {
    return receipt === undefined ? {} : { receipt };
}
export function connectApi({ baseUrl, credentials, fetch: given }) {
    const { header } = credentials;
    // Only a session needs a cookie. A cached status would be outdated.
    const client = createClient(createConfig({
        baseUrl: baseUrl.replace(/\/+$/, ''),
        credentials: header === 'X-Cubby-CSRF' ? 'same-origin' : 'omit',
        cache: 'no-store',
        ...(given && { fetch: given }),
    }));
    const at = (credential) => ({ client, headers: { [header]: credential } });
    const counting = (body, onSent) => given || typeof XMLHttpRequest === 'undefined' ? {} : { fetch: xhrFetch(body, onSent) };
    const sending = (signal, run) => unlessAborted(askWith(credentials, run), signal);
    const asking = (given, run) => within(answerWithinMs, given, (signal) => askWith(credentials, (credential) => run(credential, signal)));
    return {
        async uploadObject(file, query, { signal, onSent }) {
            const form = new FormData();
            form.append('file', file);
            const answer = await sending(signal, (credential) => uploadObject({
                ...at(credential),
                query,
                body: { file },
                bodySerializer: () => form,
                signal,
                ...counting(form, onSent),
            }));
            return { ...answer.response, ...receiptOf(answer) };
        },
        async start(query, given) {
            let used = '';
            const answer = await asking(given, (credential, signal) => startChunkedUpload({ ...at((used = credential)), query, signal }));
            return { started: answer.response, credential: used };
        },
        async status(upload, given) {
            return (await asking(given, (credential, signal) => getChunkedUpload({ ...at(credential), query: { upload }, signal }))).response;
        },
        async putPart({ upload, number, bytes, sha256 }, { signal, onSent }) {
            const query = { upload, part: number, ...(sha256 !== undefined && { checksum_sha256: sha256 }) };
            const answer = await sending(signal, (credential) => putChunkedPart({ ...at(credential), query, body: bytes, signal, ...counting(bytes, onSent) }));
            return answer.response;
        },
        async complete(upload, given) {
            const answer = await asking(given, (credential, signal) => completeChunkedUpload({ ...at(credential), body: { upload }, signal }));
            return { ...answer.response, ...receiptOf(answer) };
        },
        async abort(upload, given) {
            await asking(given, (credential, signal) => abortChunkedUpload({ ...at(credential), body: { upload }, signal }));
        },
        async info(id, given) {
            return (await asking(given, (credential, signal) => getObjectInfo({ ...at(credential), query: { object: id }, signal }))).response;
        },
        as: (others) => connectApi({ baseUrl, credentials: others, fetch: given }),
    };
}
/** Runs a request. If the credential is refused and another one is available, runs it once more with that one. */
async function askWith(credentials, run) {
    const credential = await credentials.current();
    try {
        return read(await run(credential));
    }
    catch (error) {
        if (!isRefusedCredential(error))
            throw error;
        const next = await credentials.renew(credential);
        if (next === credential)
            throw error;
        return read(await run(next));
    }
}
/** Returns whether another credential could help. It cannot when the account itself may not upload. */
export function isRefusedCredential(error) {
    return error instanceof UploadError && (error.code === 'ACCESS_DENIED' || error.code === 'UPLOAD_TOKEN_USED');
}
function read({ data, error, response }) {
    if (response?.ok && typeof data === 'object' && data !== null && 'status' in data)
        return { ...data, ...receiptIn(response) };
    throw answerError(response, error);
}
