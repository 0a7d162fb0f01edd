import type { ResponsesItem } from '#generated/types.ts';
import type { ChatMessage } from '../../conversation/conversation.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { FileTexts } from '../../file-texts/named-files.ts';
import { fileIdIn } from '../file-id.ts';
import type { LeftOut } from '../left-out.ts';

/** Parts of a tool's output that are content, but no text. Those of MCP have names without a direction. */
const media = /^(?:(?:input_|output_)?(?:image|file|audio|video)|computer_screenshot)$/;

/** What is in the input or the output of an item. */
interface Read {
  readonly text: string;
  /** The types of the parts that have no text. */
  readonly others: ReadonlyArray<string | undefined>;
}

/**
 * Returns the text of an item that belongs to a tool which the gateway does not run, so that the model knows of it.
 * Undefined without a text: then the item is left out. Thoughts are no text of the conversation.
 *
 * @param place where the item is in the request, for messages
 * @throws multimodal_not_supported
 */
export function historyMessage(
  item: ResponsesItem,
  place: string,
  leftOut: LeftOut,
  files: FileTexts,
): ChatMessage | undefined {
  const { type, name, call_id: id } = item;
  const title = [type, name, id].filter((part) => typeof part === 'string' && part !== '').join(' ');
  const output = read(item.output, `${place}.output`, files);
  const input = read(item.input, `${place}.input`, files);
  const { text, others } = output.text === '' ? input : output;
  if (text === '') {
    leftOut.add('input', type);
    return undefined;
  }
  for (const other of others) leftOut.add('input', other);
  // What a tool returned is no word of the model.
  return { role: output.text === '' ? 'assistant' : 'user', content: `[${title}]\n${text}` };
}

/** Reads a text or its parts. They may be anything, because the contract does not know the items of all tools. */
function read(value: unknown, place: string, files: FileTexts): Read {
  if (typeof value === 'string') return { text: value, others: [] };
  if (!Array.isArray(value)) return { text: '', others: [] };
  const texts: string[] = [];
  const others: Array<string | undefined> = [];
  for (const [index, part] of value.entries()) {
    const fields = fieldsOf(part);
    const { type, text } = fields;
    const fileId = type === 'input_file' ? fileIdIn(fields) : undefined;
    if (fileId !== undefined) {
      texts.push(files.textOf({ id: fileId, place: `${place}[${index}].file_id` }));
      continue;
    }
    if (typeof type === 'string' && media.test(type))
      throw new Refusal('multimodal_not_supported', {
        message: `${place}[${index}].type must be input_text or output_text. ${got(type)} The gateway takes only text.`,
      });
    if (typeof text === 'string') texts.push(text);
    else others.push(typeof type === 'string' ? type : undefined);
  }
  return { text: texts.join('\n'), others };
}

function fieldsOf(part: unknown): { readonly type?: unknown; readonly text?: unknown } {
  return typeof part === 'object' && part !== null ? part : {};
}
