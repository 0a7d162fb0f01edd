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
  const text = (code: string) => ({
    content: { 'text/plain': { 'x-codes': [code], examples: { [code]: { value: `${code}: words.` } } } },
  });
  return {
    paths,
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
        GitNotFound: text('NOT_FOUND'),
        GitMethodNotAllowed: text('METHOD_NOT_ALLOWED'),
        GitMalformedRequest: text('MALFORMED_REQUEST'),
        GitHeadersTooLarge: text('HEADERS_TOO_LARGE'),
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
