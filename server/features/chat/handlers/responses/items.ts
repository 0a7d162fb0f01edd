import type { ResponsesItem, ResponsesPart } from '#generated/types.ts';
import type { ChatMessage, ChatToolCall } from '../../conversation/conversation.ts';
import { joinedSealed } from '../../conversation/sealed.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { carriedThoughts, joinedThoughts, type CarriedThoughts } from '../carried-thoughts.ts';
import type { FileTexts } from '../../file-texts/named-files.ts';
import { functionNames } from '../chat-tools.ts';
import { fileIdIn } from '../file-id.ts';
import type { LeftOut } from '../left-out.ts';
import { movedBehindResults, type ReadMessages } from '../moved-messages.ts';
import { historyMessage } from './history.ts';
import type { Namespaces } from './namespaces.ts';

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * Reads items as messages. Chats have the calls of an answer and its text in one message, so items that follow one
 * another are joined. The place of a message is the index of its last item. Thoughts belong to what the assistant says
 * next. Items of unknown types belong to tools and thoughts of other servers. Their texts are kept, and those without a
 * text are left out.
 *
 * @throws invalid_input, multimodal_not_supported
 */
export function messagesOf(
  items: readonly ResponsesItem[],
  leftOut: LeftOut,
  namespaces: Namespaces,
  files: FileTexts,
): ReadMessages {
  const messages: ChatMessage[] = [];
  const ofOthers = new Set<ChatMessage>();
  const places: number[] = [];
  const allThoughts = items.map(thoughtsIn);
  const { ofCalls } = joinedThoughts(allThoughts.filter((one) => one !== undefined));
  let thoughts: CarriedThoughts[] = [];
  /** The place of the message that the last item belongs to, if it is one of the assistant. */
  let lastAt = -1;
  for (const [index, item] of items.entries()) {
    const carried = allThoughts[index];
    if (carried) {
      thoughts.push(carried);
      continue;
    }
    const known = withThoughts(messageOf(item, index, namespaces, files), thoughts, ofCalls);
    if (known?.role !== 'assistant') addLate(messages, lastAt, thoughts);
    thoughts = [];
    lastAt = -1;
    const message = known ?? historyMessage(item, `input[${index}]`, leftOut, files);
    if (!message) continue;
    if (!known) ofOthers.add(message);
    const calls = known?.role === 'assistant' ? callsBefore(messages, ofOthers) : -1;
    const before = calls < 0 ? messages.length - 1 : calls;
    const first = messages[before];
    const whole = message.role === 'assistant' && first?.role === 'assistant' ? joined(first, message) : undefined;
    const at = whole ? before : messages.length;
    messages[at] = whole ?? message;
    places[at] = index;
    if (known?.role === 'assistant') lastAt = at;
  }
  addLate(messages, lastAt, thoughts);
  if (messages.length === 0)
    throw refused('input has only items that the gateway leaves out, such as reasoning. Send a message.');
  return movedBehindResults({ messages, places }, ofOthers);
}

function thoughtsIn(item: ResponsesItem): CarriedThoughts | undefined {
  return item.type === 'reasoning' ? carriedThoughts(item.encrypted_content) : undefined;
}

function withThoughts(
  message: ChatMessage | undefined,
  thoughts: readonly CarriedThoughts[],
  ofCalls: ReturnType<typeof joinedThoughts>['ofCalls'],
): ChatMessage | undefined {
  if (message?.role !== 'assistant') return message;
  const toolCalls = message.toolCalls?.map((call): ChatToolCall => {
    const sealed = ofCalls.get(call.id);
    return { ...call, ...(sealed && { sealed }) };
  });
  return { ...message, ...(toolCalls && { toolCalls }), ...joinedThoughts(thoughts).ofMessage };
}

/** Adds what the model's server has sealed after the last item of an answer. */
function addLate(messages: ChatMessage[], at: number, thoughts: readonly CarriedThoughts[]): void {
  const message = messages[at];
  const { sealed } = joinedThoughts(thoughts).ofMessage;
  if (sealed && message?.role === 'assistant')
    messages[at] = { ...message, sealed: joinedSealed(message.sealed, sealed)! };
}

/**
 * Returns the place of the calls to which another call of the same answer belongs, or a negative number. What stands
 * between them comes behind their results.
 */
function callsBefore(messages: readonly ChatMessage[], ofOthers: ReadonlySet<ChatMessage>): number {
  const at = messages.findLastIndex((message) => message.role !== 'system' && !ofOthers.has(message));
  const message = messages[at];
  return message?.role === 'assistant' && message.toolCalls ? at : -1;
}

/** Returns undefined for two plain texts, which stay two messages. */
function joined(first: AssistantMessage, second: AssistantMessage): AssistantMessage | undefined {
  const toolCalls = [...(first.toolCalls ?? []), ...(second.toolCalls ?? [])];
  if (toolCalls.length === 0) return undefined;
  const texts = [first.content, second.content].filter((text) => text !== null);
  const reasoning = first.reasoning ?? second.reasoning;
  const sealed = joinedSealed(first.sealed, second.sealed);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    toolCalls,
    ...(reasoning && { reasoning }),
    ...(sealed && { sealed }),
  };
}

function messageOf(
  item: ResponsesItem,
  index: number,
  namespaces: Namespaces,
  files: FileTexts,
): ChatMessage | undefined {
  const place = `input[${index}]`;
  switch (item.type ?? 'message') {
    case 'message':
      return textMessage(item, place, files);
    case 'function_call': {
      const id = needed(item, 'call_id', place);
      const named = needed(item, 'name', place);
      const name = item.namespace ? namespaces.modelName(item.namespace, named) : named;
      if (!functionNames.test(name))
        throw refused(`${place}.name must have 1 to 64 letters, digits, _ or -. ${got(name)}`);
      const call = { id, name, arguments: needed(item, 'arguments', place) };
      return { role: 'assistant', content: null, toolCalls: [call] };
    }
    case 'function_call_output':
      return {
        role: 'tool',
        toolCallId: needed(item, 'call_id', place),
        content: textOf(item, 'output', place, files),
      };
    case 'item_reference':
      throw refused(
        `${place} is a reference to an item. The gateway keeps none. Send the item itself, with store: false.`,
      );
    default:
      return undefined;
  }
}

function textMessage(item: ResponsesItem, place: string, files: FileTexts): ChatMessage {
  const { role } = item;
  if (!role) throw refused(`${place}.role is missing. Send system, developer, user or assistant.`);
  const known = rolesOf.get(role);
  if (!known) throw refused(`${place}.role must be system, developer, user or assistant. ${got(role)}`);
  return { role: known, content: textOf(item, 'content', place, files) };
}

const rolesOf: ReadonlyMap<string, 'system' | 'user' | 'assistant'> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
] as const);

function needed(item: ResponsesItem, name: 'call_id' | 'name' | 'arguments', place: string): string {
  const value = item[name];
  if (typeof value === 'string') return value;
  if (value === undefined || value === null)
    throw refused(`${place}.${name} is missing. An item of the type ${item.type} needs it.`);
  throw refused(`${place}.${name} must be a text. ${got(value)}`);
}

function textOf(item: ResponsesItem, name: 'content' | 'output', place: string, files: FileTexts): string {
  const value = item[name];
  if (value === undefined || value === null) throw refused(`${place}.${name} is missing. Send a text.`);
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw refused(`${place}.${name} must be a text or its parts. ${got(value)}`);
  return value.map((part, index) => partText(part, `${place}.${name}[${index}]`, files)).join('\n');
}

function partText(part: ResponsesPart, place: string, files: FileTexts): string {
  if (typeof part.type !== 'string') throw refused(`${place}.type is missing. Send input_text.`);
  const fileId = part.type === 'input_file' ? fileIdIn(part) : undefined;
  if (fileId !== undefined) return files.textOf({ id: fileId, place: `${place}.file_id` });
  const name = part.type === 'refusal' ? 'refusal' : 'text';
  if (!['input_text', 'output_text', 'text', 'refusal'].includes(part.type))
    throw new Refusal('multimodal_not_supported', {
      message:
        `${place}.type must be input_text, output_text or refusal, or input_file with the file_id of your file. ` +
        `${got(part.type)} The gateway takes only text.`,
    });
  const text = part[name];
  if (text === undefined || text === null) throw refused(`${place}.${name} is missing. Send a text.`);
  return text;
}

function refused(message: string): Refusal {
  return new Refusal('invalid_input', { message });
}
