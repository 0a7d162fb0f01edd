import type { ApiPart } from '#server/handlers/api-part.ts';

/**
 * Some clients add `/v1` to the address that they are given, and others expect it in that address. So each path of the
 * AI gateway may have it, once or twice.
 */
const versionOfClients = /^\/v2\/ai(\/v1){1,2}(?=\/)/;

/** What the AI gateway adds to the door of the API. */
export const apiPart: ApiPart = {
  prepare(req) {
    if (req.url?.startsWith('/v2/ai/v1/')) req.url = req.url.replace(versionOfClients, '/v2/ai');
  },
  exposedHeaders: [
    'X-RateLimit-Limit-Requests',
    'X-RateLimit-Remaining-Requests',
    'X-RateLimit-Reset-Requests',
    'X-RateLimit-Limit-Tokens',
    'X-RateLimit-Remaining-Tokens',
    'X-RateLimit-Reset-Tokens',
    'X-Cubby-Responder',
    'X-Cubby-Ignored',
    'Cache-Status',
    'Age',
  ],
};
