import type { Json } from '#openapi/codegen/document.ts';

/** Returns an error response in the envelope, with these codes and an example with words for each. */
export function refusals(
  codes: readonly string[],
  words: (code: string) => string | undefined = (code) => `About ${code}.`,
): Json {
  return {
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { status: 'error', code, message: words(code) } }]),
        ),
      },
    },
  };
}

const json = (example: Json, codes: string[]) => ({
  content: { 'application/json': { 'x-codes': codes, examples: example } },
});

/** Returns the smallest contract that the printers accept, with these paths. */
export function contractWith(paths: Json): Json {
  const chat = (code: string) => json({ [code]: { value: { error: { message: `About ${code}.`, code } } } }, [code]);
  const unrouted = (...names: string[]) => names.map((name) => ({ $ref: `#/components/responses/${name}` }));
  return {
    paths,
    'x-unrouted': {
      other: unrouted('NotFound', 'MethodNotAllowed', 'MalformedRequest', 'RequestTimeout', 'HeadersTooLarge'),
      chat: unrouted('ChatNotFound', 'ChatMethodNotAllowed'),
    },
    security: [{ apiKey: [] }],
    components: {
      schemas: { Error: { type: 'object', properties: { code: { type: 'string' } } } },
      responses: {
        NotFound: refusals(['NOT_FOUND']),
        MethodNotAllowed: refusals(['METHOD_NOT_ALLOWED']),
        MalformedRequest: refusals(['MALFORMED_REQUEST']),
        RequestTimeout: refusals(['REQUEST_TIMEOUT']),
        HeadersTooLarge: refusals(['HEADERS_TOO_LARGE']),
        ChatNotFound: chat('not_found'),
        ChatMethodNotAllowed: chat('method_not_allowed'),
      },
    },
  };
}

/** Returns an operation with everything that is mandatory. */
export function operation(operationId: string, change: Json = {}): Json {
  return {
    operationId,
    tags: ['things'],
    'x-scopes': [],
    'x-rate-limits': [],
    responses: { 200: { content: { 'application/json': { schema: {} } } } },
    ...change,
  };
}
