import { banner, operationsOf, print, resolve, responsesOf, type Json } from './document.ts';

interface Declared {
  readonly operationId: string;
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** The codes that one media type of an error response narrows itself to, in the contract's order. */
function codesOf(document: Json, media: Json): string[] {
  if (media['x-codes']) return media['x-codes'];
  const found: string[] = [];
  const visit = (schema: Json): void => {
    const part = resolve(document, schema);
    for (const piece of [...(part.allOf ?? []), ...(part.oneOf ?? []), ...(part.anyOf ?? [])]) visit(piece);
    const properties = part.properties ?? {};
    // `code` of the envelope, `error.code` of the AI gateway, `error` of RFC 6749
    for (const at of [properties.code, properties.error?.properties?.code, properties.error]) {
      if (Array.isArray(at?.enum)) found.push(...at.enum);
    }
  };
  visit(media.schema ?? {});
  return found;
}

/** The words of an example: the `message` of its shape, or the text itself. */
function messageOf(example: Json | undefined): string | undefined {
  const value = example?.value;
  return typeof value === 'string' ? value.trim() : (value?.message ?? value?.error?.message ?? value?.error_description);
}

function declarations(document: Json): Declared[] {
  return operationsOf(document).flatMap((operation) =>
    responsesOf(document, operation)
      .filter(({ status }) => status >= 400)
      .flatMap(({ status, response }) =>
        Object.values<Json>(response.content ?? {}).flatMap((media) =>
          codesOf(document, media).map((code) => ({
            operationId: operation.id,
            code,
            status,
            message: messageOf(resolve(document, media.examples?.[code] ?? {})) ?? '',
          })),
        ),
      ),
  );
}

/** The codes of requests that reach no operation: an unknown route, another method. */
function unrouted(document: Json): Declared[] {
  return [
    { name: 'NotFound', status: 404 },
    { name: 'MethodNotAllowed', status: 405 },
  ].flatMap(({ name, status }) => {
    const media = document.components.responses[name].content['application/json'];
    return codesOf(document, media).map((code) => ({
      operationId: '',
      code,
      status,
      message: messageOf(resolve(document, media.examples[code])) ?? '',
    }));
  });
}

/**
 * Prints the error table: what each code means, its one HTTP status, and which codes an operation can answer.
 * Fails when a code has two statuses or no words.
 */
export function printErrors(document: Json): string {
  const all = [...declarations(document), ...unrouted(document)];
  const statuses = new Map<string, number>();
  const messages = new Map<string, string>();
  for (const { code, status, message, operationId } of all) {
    const known = statuses.get(code);
    if (known !== undefined && known !== status) throw new Error(`${code} is ${known} elsewhere and ${status} in ${operationId}`);
    statuses.set(code, status);
    if (message && !messages.has(code)) messages.set(code, message);
  }
  const wordless = [...statuses.keys()].filter((code) => !messages.has(code));
  if (wordless.length > 0) throw new Error(`No example says what these codes mean: ${wordless.join(', ')}`);

  const sorted = [...statuses.keys()].sort();
  const codesByOperation = Object.fromEntries(
    operationsOf(document).map(({ id }) => [id, [...new Set(all.filter((one) => one.operationId === id).map((one) => one.code))]]),
  );
  return `${banner}/** The one HTTP status of each code. */
export const statusOfCode = ${print(Object.fromEntries(sorted.map((code) => [code, statuses.get(code)])))} as const;

/** Everything that can be refused, in the storage and application API, the AI gateway and device approval. */
export type ErrorCode = keyof typeof statusOfCode;

/** What a code is answered with when the refusal brings no words of its own. */
export const messageOfCode: Readonly<Record<ErrorCode, string>> = ${print(Object.fromEntries(sorted.map((code) => [code, messages.get(code)])))};

/** The codes that each operation declares. */
export const codesOfOperation = ${print(codesByOperation)} as const satisfies Record<string, readonly ErrorCode[]>;
`;
}
