import type { ChatAnswer, ChatReasoning } from '../conversation/conversation.ts';
import { isReasoningField } from '../conversation/reasoning.ts';
import { isObject, joinedSealed, sealedIn, wireSealed, type SealedParts } from '../conversation/sealed.ts';

/** Marks what the gateway wrote. Agents that change the server send thoughts of other servers too. */
const mark = 'cubby1';

/** In place of thoughts, if a server has sent only what it has sealed. */
export const noReasoning: ChatReasoning = { field: 'reasoning', text: '' };

/** What clients carry from an answer to the next request, beside its text and its calls. */
export interface CarriedThoughts {
  /** The thoughts. Their text is empty if a block shows it, or if there is none. */
  readonly reasoning: ChatReasoning;
  /** Of the message. */
  readonly sealed?: SealedParts | undefined;
  /** Of its calls, by their ids. */
  readonly ofCalls?: ReadonlyMap<string, SealedParts>;
}

/**
 * Returns thoughts as one text, which clients carry unread and send back with the conversation. It has the field of the
 * model's server, because the gateway keeps nothing. It is no secret.
 */
export function carryThoughts({ reasoning: { field, text }, sealed, ofCalls = new Map() }: CarriedThoughts): string {
  const parts = [mark, field, base64(text)];
  if (sealed || ofCalls.size > 0) {
    const calls = Object.fromEntries([...ofCalls].map(([id, sealed]) => [id, wireSealed(sealed)]));
    parts.push(base64(JSON.stringify({ ...wireSealed(sealed), calls })));
  }
  return parts.join('.');
}

interface Encoded {
  readonly field: ChatReasoning['field'];
  readonly text: string;
  readonly more: string | undefined;
}

function encodedIn(value: unknown): Encoded | undefined {
  if (typeof value !== 'string') return undefined;
  const [marked, field, text, more, ...others] = value.split('.');
  if (marked !== mark || !isReasoningField(field) || text === undefined || others.length > 0) return undefined;
  return { field, text, more };
}

/** Whether {@link carriedThoughts} returns thoughts. */
export function carriesThoughts(value: unknown): boolean {
  return encodedIn(value) !== undefined;
}

/** Returns the thoughts in such a text; undefined for any other value. */
export function carriedThoughts(value: unknown): CarriedThoughts | undefined {
  const encoded = encodedIn(value);
  if (!encoded) return undefined;
  const { field, text, more } = encoded;
  const reasoning = { field, text: textOf(text) };
  if (more === undefined) return { reasoning };
  const parts = partsIn(textOf(more));
  const calls = Object.entries(parts.calls ?? {}).flatMap(([id, part]) => {
    const sealed = isObject(part) ? sealedIn(part) : undefined;
    return sealed ? [[id, sealed] as const] : [];
  });
  return { reasoning, sealed: sealedIn(parts), ofCalls: new Map(calls) };
}

/** Clients may have changed the text. */
function partsIn(json: string): { readonly calls?: object } {
  try {
    const parts: unknown = JSON.parse(json);
    if (isObject(parts)) return { ...parts, calls: isObject(parts.calls) ? parts.calls : {} };
  } catch {
    // It is no JSON.
  }
  return {};
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}

/** Returns the thoughts of a whole answer; undefined without any. */
export function thoughtsOf({ reasoning, sealed, toolCalls }: Omit<ChatAnswer, 'usage'>): CarriedThoughts | undefined {
  const ofCalls = new Map(toolCalls.flatMap(({ id, sealed }) => (sealed ? [[id, sealed] as const] : [])));
  if (!reasoning && !sealed && ofCalls.size === 0) return undefined;
  return { reasoning: reasoning ?? noReasoning, sealed, ofCalls };
}

/** Returns what several such texts of one message carry together. */
export function joinedThoughts(all: readonly CarriedThoughts[]) {
  const reasoning = all.map((one) => one.reasoning).find(({ text }) => text !== '');
  const sealed = all.reduce<SealedParts | undefined>((sum, one) => joinedSealed(sum, one.sealed), undefined);
  const ofCalls = new Map(all.flatMap((one) => [...(one.ofCalls ?? [])]));
  return { ofMessage: { ...(reasoning && { reasoning }), ...(sealed && { sealed }) }, ofCalls };
}
