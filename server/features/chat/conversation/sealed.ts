type Fields = Readonly<Record<string, unknown>>;

/** Parts of an answer that only the model's server reads, such as signatures of thoughts. It wants them back. */
export interface SealedParts {
  /** Thoughts in pieces, as OpenRouter sends them. Not empty. */
  readonly details?: readonly Fields[];
  /** Of a message or of a call, as Gemini sends them. */
  readonly extra?: Fields;
}

/** The deepest such part. No server sends a deeper one, and all code that reads them recurses. */
const maxDepth = 8;

/** The fields in which servers send sealed parts, and take them back. */
interface WireSealed {
  readonly reasoning_details?: unknown;
  readonly extra_content?: unknown;
}

/** Returns the sealed parts in a message or a call; undefined without any. What has another form is left out. */
export function sealedIn(part: object): SealedParts | undefined {
  const { reasoning_details: details, extra_content: extra } = part as WireSealed;
  const hasDetails = Array.isArray(details) && details.length > 0 && details.every(isObject) && isShallow(details);
  const hasExtra = isObject(extra) && Object.keys(extra).length > 0 && isShallow(extra);
  if (!hasDetails && !hasExtra) return undefined;
  return { ...(hasDetails && { details: details as readonly Fields[] }), ...(hasExtra && { extra }) };
}

/** Returns the fields of the sealed parts. */
export function wireSealed({ details, extra }: SealedParts = {}): WireSealed {
  return { ...(details && { reasoning_details: details }), ...(extra && { extra_content: extra }) };
}

/** Returns the sealed parts of two messages that become one. */
export function joinedSealed(first: SealedParts | undefined, second: SealedParts | undefined): SealedParts | undefined {
  if (!first || !second) return first ?? second;
  const details = [...(first.details ?? []), ...(second.details ?? [])];
  const extra = first.extra || second.extra ? { ...first.extra, ...second.extra } : undefined;
  return { ...(details.length > 0 && { details }), ...(extra && { extra }) };
}

/**
 * Adds a piece of a stream. Its first detail may go on with the last one: a server signs whole thoughts, and rejects
 * them in pieces.
 */
export function withPiece(sealed: SealedParts | undefined, piece: SealedParts): SealedParts {
  const last = sealed?.details?.at(-1);
  const next = piece.details?.[0];
  const whole = last && next && continued(last, next);
  if (!whole) return joinedSealed(sealed, piece)!;
  return joinedSealed(
    { ...sealed, details: [...sealed!.details!.slice(0, -1), whole] },
    { ...piece, details: piece.details!.slice(1) },
  )!;
}

/** The fields that come in pieces, by the type of the detail. */
const growing: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/** Returns the detail that both are pieces of; undefined for two details. A signature ends a detail. */
function continued(last: Fields, next: Fields): Fields | undefined {
  const name = growing.get(last.type);
  const isSame = (field: string): boolean => (last[field] ?? next[field]) === (next[field] ?? last[field]);
  if (!name || last.type !== next.type || last.index !== next.index || !isSame('id') || last.signature)
    return undefined;
  const said = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null));
  return { ...last, ...said, [name]: textIn(last, name) + textIn(next, name) };
}

/** Returns the thoughts that anybody can read. */
export function readableText({ details = [] }: SealedParts): string {
  return details.map((detail) => textIn(detail, growing.get(detail.type))).join('');
}

function textIn(detail: Fields, name: string | undefined): string {
  const text = name === undefined ? undefined : detail[name];
  return typeof text === 'string' ? text : '';
}

/** Returns the length of the parts as JSON, in UTF-16 code units. */
export function sealedLength(sealed: SealedParts | undefined): number {
  return sealed ? JSON.stringify(wireSealed(sealed)).length : 0;
}

/** Returns a value with each of its strings replaced. */
export function withStrings<T>(value: T, change: (text: string) => string): T;
export function withStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: unknown) => withStrings(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withStrings(each, change)]));
}

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < maxDepth && Object.values(value).every((each) => isShallow(each, depth + 1));
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
