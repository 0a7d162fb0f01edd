import { fieldsOf } from '#server/backends/json-value.ts';

/** A field of requests that some servers do not know. The names are those of the requests. */
export type RejectedField =
  | 'response_format'
  | 'reasoning_effort'
  | 'reasoning_content'
  | 'reasoning_details'
  | 'extra_content'
  | 'encoding_format';

/** How servers name a field, or what it asks for. The first that fits counts. */
const names: ReadonlyArray<readonly [RejectedField, RegExp]> = [
  ['response_format', /response[_ ]format|json[_ ](schema|object|mode)|structured[_ ]outputs?|guided decoding/i],
  ['reasoning_effort', /reasoning[_ ]effort|support thinking/i],
  ['encoding_format', /encoding[_ ]format/i],
  ['reasoning_details', /\breasoning_details\b/i],
  ['extra_content', /\bextra_content\b/i],
  ['reasoning_content', /\breasoning(_content)?\b/i],
];

/** How servers say that they do not take it. */
const notTaken = [
  /not (support|permit|allow|enabl|available|implement|expect|a valid|valid)/i,
  /unsupported|unavailable|unrecognized|unknown|unexpected|extra (input|field)/i,
  /invalid (parameter|value|argument|field)|input should be|must be one of/i,
];

/** The schema itself is wrong, and would be wrong for a function too. */
const aboutSchema = /invalid schema|in context=/i;

/**
 * Returns the field for which a server rejected a request; undefined if it says nothing of it. Servers that check with
 * Pydantic name the field in `detail`, and OpenAI's in `param`.
 */
export function rejectedField(body: unknown, message: string): RejectedField | undefined {
  const { detail, error } = fieldsOf(body);
  const { param } = fieldsOf(error ?? body);
  const details = Array.isArray(detail) ? detail.map(fieldsOf) : [];
  const places = details.flatMap(({ loc, msg }) => [...(Array.isArray(loc) ? loc : []), msg]);
  const text = [message, param, detail, ...places].filter((part) => typeof part === 'string').join(' ');
  if (!notTaken.some((pattern) => pattern.test(text)) || aboutSchema.test(text)) return undefined;
  return names.find(([, pattern]) => pattern.test(text))?.[0];
}
