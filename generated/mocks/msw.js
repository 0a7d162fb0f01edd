// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
import { http, HttpResponse } from 'msw';
import { operations, } from '../fixtures/index.js';
/**
 * Returns Mock Service Worker handlers for every operation. Each sends the contract's first example, unless an override
 * says otherwise. They check no request: `npm run mock` does.
 */
export function cubbyHandlers({ overrides = {}, ...options } = {}) {
    return Object.keys(operations).flatMap((id) => {
        const handler = handlerOf(id, overrides[id], options);
        return handler ? [handler] : [];
    });
}
/**
 * Returns a handler of one operation, for `server.use()` in a test.
 *
 * @param override the response. Default: the first example
 * @throws for `getPublicFile` without `publicUrl`
 */
export function cubbyHandler(id, override, options = {}) {
    const handler = handlerOf(id, override, options);
    if (!handler)
        throw new Error(`${id} needs "publicUrl", the address of public files.`);
    return handler;
}
/** Returns the `Response` of an example. */
export function exampleResponse(id, name) {
    return responseOf(id, name);
}
function handlerOf(id, override, { baseUrl = '*', filesUrl = '*', publicUrl, requiresKey = true }) {
    const { method, path, door, needsKey } = operations[id];
    const base = { api: baseUrl, files: filesUrl, public: publicUrl }[door];
    if (base === undefined)
        return undefined;
    const pattern = base + path.replace('{key}', '*').replace(/\{(\w+)\}/g, ':$1');
    const handle = { GET: http.get, PUT: http.put, POST: http.post, DELETE: http.delete, PATCH: http.patch }[method];
    return handle(pattern, async ({ request, params }) => {
        if (requiresKey && needsKey && !request.headers.get('authorization'))
            return denied(id);
        const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));
        const result = typeof override === 'function' ? await override({ request, params: texts }) : override;
        if (result instanceof Response)
            return result;
        if (result === undefined || typeof result === 'string')
            return responseOf(id, result);
        const { status, headers } = exampleOf(id, result.like);
        return rendered(status, { ...headers, ...result.headers }, result.body);
    });
}
function denied(id) {
    return responseOf(id, 'ACCESS_DENIED' in operations[id].responses ? 'ACCESS_DENIED' : 'access_denied');
}
function responseOf(id, name) {
    const { status, headers, body } = exampleOf(id, name);
    return rendered(status, headers, body);
}
/** Returns an example by its name, or the first one. */
function exampleOf(id, name) {
    const all = operations[id].responses;
    const example = name === undefined ? Object.values(all)[0] : Object.hasOwn(all, name) ? all[name] : undefined;
    if (!example)
        throw new Error(`${id} has no example "${name}". It has ${Object.keys(all).join(', ')}.`);
    return example;
}
function rendered(status, headers, body) {
    const text = body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body);
    return new HttpResponse(text, { status, headers });
}
