import {
  banner,
  operationsOf,
  pascalCase,
  print,
  resolve,
  responsesOf,
  type Json,
  type Operation,
} from './document.ts';
import { retriesOf } from './retries.ts';

/** A code that the contract declares somewhere. */
export interface Declared {
  /** Empty for requests that reach no operation. */
  readonly operationId: string;
  /**
   * Whose words it belongs to. Each protocol has its own: the same one may mean another thing, with another status,
   * elsewhere.
   */
  readonly vocabulary: string;
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** When it is answered; undefined where no example says. */
  readonly condition: string | undefined;
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
  return typeof value === 'string'
    ? value.trim()
    : (value?.message ?? value?.error?.message ?? value?.error_description);
}

function conditionOf(document: Json, media: Json, code: string): string | undefined {
  return resolve(document, media.examples?.[code] ?? {}).summary?.replace(/\.$/, '');
}

/** Whose words a form of errors, or an area of addresses without an operation, has if it has none of its own. */
const borrowed: Readonly<Record<string, string>> = {
  text: 'envelope',
  page: 'envelope',
  other: 'envelope',
  messages: 'ai',
  'ai-by-client': 'ai',
  chat: 'ai',
};

const vocabularyOf = (form: string): string => borrowed[form] ?? form;

const shapeOf = ({ spec }: Operation): string => spec['x-error-shape'] ?? 'envelope';

function declarations(document: Json): Declared[] {
  return operationsOf(document).flatMap((operation) =>
    responsesOf(document, operation)
      .filter(({ status }) => status >= 400)
      .flatMap(({ status, response }) =>
        Object.values<Json>(response.content ?? {}).flatMap((media) =>
          codesOf(document, media).map((code) => ({
            operationId: operation.id,
            vocabulary: vocabularyOf(shapeOf(operation)),
            code,
            status,
            message: messageOf(resolve(document, media.examples?.[code] ?? {})) ?? '',
            condition: conditionOf(document, media, code),
          })),
        ),
      ),
  );
}

/** The statuses of requests that reach no operation, by the ends of the names of their responses. */
const unroutedStatuses = {
  NotFound: 404,
  MethodNotAllowed: 405,
  MalformedRequest: 400,
  RequestTimeout: 408,
  HeadersTooLarge: 431,
};

/** The codes of requests that reach no operation: an unknown route, another method, no request at all. */
function unrouted(document: Json): Declared[] {
  return Object.entries<Json[]>(document['x-unrouted']).flatMap(([area, responses]) =>
    responses.flatMap((response) => {
      const [, status] = Object.entries(unroutedStatuses).find(([end]) => response.$ref.endsWith(end))!;
      const { content } = resolve(document, response);
      const media = content['application/json'] ?? content['text/plain'];
      return codesOf(document, media).map((code) => ({
        operationId: '',
        vocabulary: vocabularyOf(area),
        code,
        status,
        message: messageOf(resolve(document, media.examples[code])) ?? '',
        condition: conditionOf(document, media, code),
      }));
    }),
  );
}

/** Every code of every vocabulary, once for each operation that declares it, and once for requests that reach none. */
export function declaredCodes(document: Json): Declared[] {
  return [...declarations(document), ...unrouted(document)];
}

interface Meaning {
  readonly status: number;
  readonly message: string;
}

/** What each code of a vocabulary means. Fails when one has two statuses or no words. */
function meanings(declared: readonly Declared[]): Record<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const { code, status, message, operationId } of declared) {
    const known = found.get(code);
    if (known && known.status !== status)
      throw new Error(`${code} is ${known.status} elsewhere and ${status} in ${operationId}`);
    found.set(code, { status, message: known?.message || message });
  }
  const wordless = [...found].filter(([, { message }]) => !message).map(([code]) => code);
  if (wordless.length > 0) throw new Error(`No example says what these codes mean: ${wordless.join(', ')}`);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Prints the error table: what each code means, with its one HTTP status, and which codes an operation can answer. */
export function printErrors(document: Json): string {
  const all = declaredCodes(document);
  const vocabularies = [...new Set(['envelope', ...all.map(({ vocabulary }) => vocabulary)])];
  const types = vocabularies.map((one) => ({ name: `${pascalCase(one)}Code`, of: one }));
  const shapes = new Set(['envelope', ...operationsOf(document).map(shapeOf)]);
  const table = Object.fromEntries(
    vocabularies.map((one) => [one, meanings(all.filter(({ vocabulary }) => vocabulary === one))]),
  );
  const codesByOperation = Object.fromEntries(
    operationsOf(document).map(({ id }) => [
      id,
      [...new Set(all.filter((one) => one.operationId === id).map((one) => one.code))],
    ]),
  );
  return `${banner}/**
 * What can be refused, in the words of each protocol: the envelope (also texts and pages), chat clients (the AI
 * gateway), OAuth (device approval), the git webhook (whole replies). A code has one HTTP status; its message is answered
 * when a refusal brings no words of its own.
 */
export const errors = ${print(table)} as const;

${types.map(({ name, of }) => `export type ${name} = keyof typeof errors.${of};\n`).join('')}
/** Everything that can be refused. */
export type ErrorCode = ${types.map(({ name }) => name).join(' | ')};

/** The formats of error responses. */
export type ErrorShape = ${[...shapes].map((shape) => print(shape)).join(' | ')};

/** The codes that come with \`Retry-After\`: the usual seconds, and whether clients are told not to try by themselves. */
export const retries = ${print(Object.fromEntries(retriesOf(document)))} as const satisfies Partial<
  Record<ErrorCode, { readonly afterSeconds: number; readonly shouldRetry?: false }>
>;

/** A code that comes with \`Retry-After\`. */
export type RetriedCode = keyof typeof retries;

/** The codes that each operation declares. */
export const codesOfOperation = ${print(codesByOperation)} as const satisfies Record<string, readonly ErrorCode[]>;
`;
}
