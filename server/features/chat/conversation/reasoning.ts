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
