import type { MessagesBlock, MessagesMessage } from '#generated/types.ts';
import type { ChatMessage, ChatToolCall } from '../../conversation/conversation.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { LeftOut } from '../left-out.ts';
import { carriedThoughts, carriesThoughts, joinedThoughts } from '../carried-thoughts.ts';
import { movedBehindResults, type ReadMessages } from '../moved-messages.ts';
import type { FileTexts } from '../../file-texts/named-files.ts';
import { documentFile, sourceText } from './sources.ts';

/**
 * Reads messages with blocks. A message of the user becomes one tool message for each result, and one of the user for
 * its texts. Blocks of unknown types are left out, and with them a message that has no others.
 *
 * @throws invalid_body, multimodal_not_supported
 */
export function messagesOf(given: readonly MessagesMessage[], leftOut: LeftOut, files: FileTexts): ReadMessages {
  const read = given.map((message, index) => messagesIn(message, `messages[${index}].content`, leftOut, files));
  const messages = read.flat();
  if (messages.length === 0)
    throw refused('messages has only blocks that the gateway leaves out, such as thinking. Send a text.');
  return movedBehindResults({ messages, places: read.flatMap((messages, index) => messages.map(() => index)) });
}

function messagesIn(
  { role, content }: MessagesMessage,
  place: string,
  leftOut: LeftOut,
  files: FileTexts,
): readonly ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const known = knownBlocks(content, place, leftOut);
  if (known.length === 0 && content.length > 0) return [];
  const other = otherBlocks[role];
  const texts = known
    .filter(({ block }) => block.type !== other)
    .map(({ block, place }) => textOf(block, place, files, other));
  const others = known.filter(({ block }) => block.type === other);
  const text = texts.join('\n');
  if (role === 'system') return [{ role, content: text }];
  if (role === 'assistant') {
    const { ofMessage, ofCalls } = thoughtsIn(content);
    if (others.length === 0) return [{ role, content: text, ...ofMessage }];
    const toolCalls = others.map(({ block, place }): ChatToolCall => {
      const call = callOf(block, place);
      const sealed = ofCalls.get(call.id);
      return { ...call, ...(sealed && { sealed }) };
    });
    return [{ role, content: text || null, toolCalls, ...ofMessage }];
  }
  const results = others.map(({ block, place }) => resultOf(block, place, leftOut, files));
  return texts.length === 0 && results.length > 0 ? results : [...results, { role, content: text }];
}

/** Returns the thoughts that the gateway has sent. Those of other servers are left out. */
function thoughtsIn(blocks: readonly MessagesBlock[]) {
  const all = blocks.flatMap((block) => {
    const carried = block.type === 'thinking' ? carriedThoughts(block.signature) : undefined;
    if (!carried) return [];
    const { reasoning, ...sealed } = carried;
    return [{ ...sealed, reasoning: { ...reasoning, text: reasoning.text || (block.thinking ?? '') } }];
  });
  return joinedThoughts(all);
}

function callOf({ id, name, input }: MessagesBlock, place: string) {
  if (!id) throw refused(`${place}.id is missing. A tool_use needs it.`);
  if (!name) throw refused(`${place}.name is missing. A tool_use needs it.`);
  return { id, name, arguments: JSON.stringify(input ?? {}) };
}

function resultOf(block: MessagesBlock, place: string, leftOut: LeftOut, files: FileTexts): ChatMessage {
  const { tool_use_id: id, content, is_error: isError } = block;
  if (!id) throw refused(`${place}.tool_use_id is missing. A tool_result needs it.`);
  const text = content ? joinedText(content, `${place}.content`, leftOut, files) : '';
  return { role: 'tool', toolCallId: id, content: isError === true ? `Error: ${text}` : text };
}

/** A block where only texts may be. */
type TextBlock = Pick<MessagesBlock, 'type' | 'text' | 'source' | 'title' | 'context' | 'tool_name' | 'signature'> & {
  readonly content?: unknown;
};

/** Returns a text, or those of blocks. @throws invalid_body, multimodal_not_supported */
export function joinedText(
  content: string | readonly TextBlock[],
  place: string,
  leftOut: LeftOut,
  files: FileTexts,
): string {
  if (typeof content === 'string') return content;
  return knownBlocks(content, place, leftOut)
    .map(({ block, place }) => textOf(block, place, files))
    .join('\n');
}

/** The blocks beside texts that a message may have. */
const otherBlocks = { user: 'tool_result', assistant: 'tool_use', system: undefined } as const;

/** Contents that the model would have to see. Those with a text are given as texts. */
const contents: ReadonlySet<string> = new Set([
  'image',
  'document',
  'search_result',
  'audio',
  'video',
  'file',
  'container_upload',
]);

/** Blocks that are read or rejected. All others belong to tools and thoughts of other servers, and are left out. */
const readBlocks: ReadonlySet<string> = new Set([...contents, 'text', 'tool_use', 'tool_result', 'tool_reference']);

/** Returns the blocks that are read or rejected, each with its place. */
function knownBlocks<Block extends TextBlock>(blocks: readonly Block[], place: string, leftOut: LeftOut) {
  return blocks.flatMap((block, index) => {
    if (readBlocks.has(block.type)) return [{ block, place: `${place}[${index}]` }];
    if (block.type === 'thinking' && carriesThoughts(block.signature)) return [];
    leftOut.add(place === 'system' ? 'system' : 'messages', block.type);
    return [];
  });
}

function textOf(block: TextBlock, place: string, files: FileTexts, other?: string): string {
  const { type, text } = block;
  const file = documentFile(block, place);
  if (file) return files.textOf(file);
  const source = sourceText(block);
  if (source !== undefined) return source;
  if (contents.has(type))
    throw new Refusal('multimodal_not_supported', {
      message: `${place} is ${got(type).slice(4, -1)}. The gateway takes only text.`,
    });
  if (type !== 'text') throw refused(`${place}.type must be text${other ? ` or ${other}` : ''} here. ${got(type)}`);
  if (typeof text !== 'string') throw refused(`${place}.text is missing. Send a text.`);
  return text;
}

function refused(message: string): Refusal {
  return new Refusal('invalid_body', { message });
}
