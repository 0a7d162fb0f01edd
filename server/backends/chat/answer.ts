import type { ChatAnswer, ChatToolCall, ChatTurn, FinishReason, TokenUsage } from '#server/domain/chat/conversation.ts';
import { fieldsOf, jsonValue } from '../json-value.ts';
import { estimatedUsage } from './estimated-usage.ts';

/** More than any model counts in one turn: a figure above it is a fault, and would be charged. */
const mostTokens = 100_000_000;

/** As many calls as a message may hold when it is sent back. @see openapi/schemas/ChatMessage.yaml */
export const mostCalls = 128;

/** As many characters as the id of a call may have then. @see openapi/schemas/ChatToolCall.yaml */
export const longestCallId = 256;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what an OpenAI-compatible server answered, as the many of them say it; `undefined` when no message can be found
 * in it, and `empty` when the message has neither text nor a call, and its end does not say why. What a model thinks
 * aloud (`reasoning_content` and the like) is left out, and so are calls that nobody can run.
 *
 * @param newCallId names calls that came without an id, or with that of another
 */
export function readAnswer(body: unknown, turn: ChatTurn, newCallId: () => string): ChatAnswer | 'empty' | undefined {
  const { choices, usage } = fieldsOf(body);
  const { message: said, finish_reason: reason } = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  if (typeof said !== 'object' || said === null || reason === 'error') return undefined;
  const message = fieldsOf(said);
  const text = textOf(message);
  const calls = callsIn(message);
  const mayBeEmpty = calls.length > 0 || reason === 'length' || reason === 'content_filter';
  if (!text && !mayBeEmpty) return 'empty';
  const answer = finished(text, toolCallsOf(calls, turn, newCallId), reason);
  return { ...answer, usage: usageOf(usage) ?? { ...estimatedUsage(turn, answer), isEstimated: true } };
}

/**
 * A string, or an array of parts of which those of text count; in place of it, the words in which the model refuses.
 * Null where there are none of these.
 */
function textOf({ content, refusal }: Fields): string | null {
  const texts = (Array.isArray(content) ? content.map(partText) : [content]).filter((text) => typeof text === 'string');
  const text = texts.join('');
  if (text === '' && isText(refusal)) return refusal;
  return texts.length > 0 ? text : null;
}

function partText(part: unknown): unknown {
  const { type, text, refusal } = fieldsOf(part);
  if (type === 'refusal') return refusal;
  return type === 'text' || type === 'output_text' ? text : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function callsIn({ tool_calls: calls, function_call: single }: Fields): Fields[] {
  if (Array.isArray(calls) && calls.length > 0) return calls.map(fieldsOf);
  // Servers that never learned of several calls say the one like this.
  return single ? [{ function: single }] : [];
}

/**
 * The calls of functions that were offered, each with an id that no other call of the conversation has: some servers
 * number those of each answer anew.
 */
function toolCallsOf(
  calls: readonly Fields[],
  { messages, tools = [], toolChoice }: ChatTurn,
  newCallId: () => string,
): ChatToolCall[] {
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  if (calls.length === 0 || offered.size === 0) return [];
  const ids = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [])),
  );
  const nameless = (): string => {
    const id = newCallId();
    return ids.has(id) ? nameless() : id;
  };
  const read: ChatToolCall[] = [];
  for (const call of calls) {
    const { name, arguments: given } = fieldsOf(call.function);
    if (typeof name !== 'string' || !offered.has(name)) continue;
    if (read.length === mostCalls) break;
    const id = isText(call.id) && call.id.length <= longestCallId && !ids.has(call.id) ? call.id : nameless();
    ids.add(id);
    read.push({ id, name, arguments: argumentsText(given) });
  }
  return read;
}

/** JSON text; some servers send the object itself, or nothing where there are none. */
function argumentsText(given: unknown): string {
  if (typeof given === 'string' && given.trim() !== '') return given;
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : '{}';
}

/** An answer whose end fits what is in it: several servers say `stop` where the model called a function. */
function finished(text: string | null, calls: readonly ChatToolCall[], reason: unknown): Omit<ChatAnswer, 'usage'> {
  if (reason === 'content_filter') return { text: text ?? '', toolCalls: [], finishReason: reason };
  // Where the model ran out of room, its last call may be half of one.
  const whole = reason === 'length' ? calls.filter((call) => jsonValue(call.arguments) !== undefined) : calls;
  if (whole.length > 0) return { text: text || null, toolCalls: whole, finishReason: 'tool_calls' };
  const finishReason: FinishReason = reason === 'length' ? 'length' : 'stop';
  return { text: text ?? '', toolCalls: [], finishReason };
}

/** `undefined` where the server did not count, or counted what cannot be. */
function usageOf(usage: unknown): TokenUsage | undefined {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fieldsOf(usage);
  // No conversation is of no tokens: those who answer 0 did not count.
  return isCount(inputTokens) && inputTokens > 0 && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens;
}
