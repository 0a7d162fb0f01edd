import type { ResponsesItem } from '#generated/types.ts';
import type { ChatMessage } from '../../conversation/conversation.ts';
import type { LeftOut } from '../left-out.ts';

/**
 * Returns the text of an item that belongs to a tool which the gateway does not run, so that the model knows of it.
 * Undefined without a text: then the item is left out. Thoughts are no text of the conversation.
 */
export function historyMessage(item: ResponsesItem, leftOut: LeftOut): ChatMessage | undefined {
  const { type, name, call_id: id } = item;
  const title = [type, name, id].filter((part) => typeof part === 'string' && part !== '').join(' ');
  const output = textIn(item.output);
  // What a tool returned is no word of the model.
  if (output !== '') return { role: 'user', content: `[${title}]\n${output}` };
  const input = textIn(item.input);
  if (input !== '') return { role: 'assistant', content: `[${title}]\n${input}` };
  leftOut.add('input', type);
  return undefined;
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  // The contract does not know the items of all tools, so parts may be anything.
  const texts = value.map((part: { readonly text?: unknown } | null) => part?.text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}
