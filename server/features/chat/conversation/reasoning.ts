import type { ChatReasoning } from './conversation.ts';

/** The fields in which servers send the model's thoughts. Some send them in both. */
const fields = ['reasoning_content', 'reasoning'] as const satisfies ReadonlyArray<ChatReasoning['field']>;

/** Returns the thoughts in a message; undefined without any. */
export function reasoningOf(message: { readonly [Field in ChatReasoning['field']]?: unknown }):
  | ChatReasoning
  | undefined {
  for (const field of fields) {
    const text = message[field];
    if (typeof text === 'string' && text !== '') return { field, text };
  }
  return undefined;
}

export function isReasoningField(name: string | undefined): name is ChatReasoning['field'] {
  return fields.some((field) => field === name);
}

/** Stands between the thoughts of two rounds of one answer. */
export const betweenThoughts = '\n\n';

/** Returns the thoughts of all rounds of an answer, in the field of the last; undefined without any. */
export function joinedReasoning(rounds: ReadonlyArray<ChatReasoning | undefined>): ChatReasoning | undefined {
  const thoughts = rounds.filter((one) => one !== undefined);
  const last = thoughts.at(-1);
  return last && { field: last.field, text: thoughts.map(({ text }) => text).join(betweenThoughts) };
}
