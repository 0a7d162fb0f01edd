import type { ChatAnswer, ChatToolCall, ChatTurn, FinishReason, TokenUsage } from '../conversation/conversation.ts';
import { reasoningOf } from '../conversation/reasoning.ts';
import { sealedIn } from '../conversation/sealed.ts';
import { fieldsOf, jsonValue } from '#server/backends/json-value.ts';
import { callIdsIn } from './call-ids.ts';
import { estimatedUsage } from './estimated-usage.ts';

/** No model uses more tokens in one turn. A higher count is an error of the server, and must not be charged. */
const mostTokens = 100_000_000;

/** Maximum number of calls of a message that is sent back. @see openapi/schemas/chat/ChatMessage.yaml */
export const mostCalls = 128;

/** Maximum length of a call's id that is sent back. @see openapi/schemas/chat/ChatToolCall.yaml */
export const longestCallId = 256;

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the response of an OpenAI-compatible server, in the variations of all of them. Returns `undefined` without a
 * message. Leaves out calls of functions that were not offered. Returns `empty` for a message of which neither text nor
 * a call is left, unless its finish reason explains that.
 *
 * @param newCallId creates ids for calls without a unique one
 */
export function readAnswer(body: unknown, turn: ChatTurn, newCallId: () => string): ChatAnswer | 'empty' | undefined {
  const { choices, usage } = fieldsOf(body);
  const { message: said, finish_reason: reason } = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  if (typeof said !== 'object' || said === null || reason === 'error') return undefined;
  const message = fieldsOf(said);
  const text = textOf(message);
  const called = callsIn(message);
  const calls = toolCallsOf(called, turn, newCallId);
  const hasCalls = (turn.allowsOnlyCalls ? called : calls).length > 0;
  const mayBeEmpty = hasCalls || reason === 'length' || reason === 'content_filter';
  if (!text && !mayBeEmpty) return 'empty';
  const reasoning = reasoningOf(message);
  const sealed = sealedIn(message);
  const answer = {
    ...finished(text, calls, reason, turn.keepsCutCalls),
    ...(reasoning && { reasoning }),
    ...(sealed && { sealed }),
  };
  return { ...answer, usage: usageOf(usage) ?? { ...estimatedUsage(turn, answer), isEstimated: true } };
}

/**
 * Returns the content's text, whether it is a string or parts. Without text, returns the model's refusal, or else null.
 */
export function textOf({ content, refusal }: Fields): string | null {
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
  // Servers without parallel calls use this older field.
  return single ? [{ function: single }] : [];
}

/**
 * Returns the calls of functions that were offered. Each has an id that is unique in the conversation, because some
 * servers number the calls of each answer from the start.
 */
function toolCallsOf(
  calls: readonly Fields[],
  { messages, tools = [], toolChoice }: ChatTurn,
  newCallId: () => string,
): ChatToolCall[] {
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  if (calls.length === 0 || offered.size === 0) return [];
  const ids = callIdsIn(messages);
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
    const sealed = sealedIn(call);
    read.push({ id, name, arguments: argumentsText(given), ...(sealed && { sealed }) });
  }
  return read;
}

/** Returns the arguments as JSON. Some servers send the object itself, or nothing without arguments. */
function argumentsText(given: unknown): string {
  if (typeof given === 'string' && given.trim() !== '') return given;
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : '{}';
}

/** Returns an answer with a consistent finish reason. Some servers send `stop` when the model called a function. */
function finished(
  text: string | null,
  calls: readonly ChatToolCall[],
  reason: unknown,
  keepsCutCalls = false,
): Omit<ChatAnswer, 'usage'> {
  if (reason === 'content_filter') return { text: text ?? '', toolCalls: [], finishReason: reason };
  if (keepsCutCalls && reason === 'length' && calls.length > 0)
    return { text: text || null, toolCalls: calls, finishReason: reason };
  // At the length limit, the last call may be incomplete.
  const whole = reason === 'length' ? calls.filter((call) => jsonValue(call.arguments) !== undefined) : calls;
  if (whole.length > 0) return { text: text || null, toolCalls: whole, finishReason: 'tool_calls' };
  const finishReason: FinishReason = reason === 'length' ? 'length' : 'stop';
  return { text: text ?? '', toolCalls: [], finishReason };
}

/** Returns `undefined` if the server did not count, or its counts are impossible. */
export function usageOf(usage: unknown): TokenUsage | undefined {
  const fields = fieldsOf(usage);
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fields;
  // Every conversation has tokens, so a server that returns 0 did not count.
  if (!isTokenCount(inputTokens) || inputTokens === 0 || !isTokenCount(outputTokens)) return undefined;
  const { cached_tokens: cached = fields.prompt_cache_hit_tokens } = fieldsOf(fields.prompt_tokens_details);
  const { reasoning_tokens: reasoning } = fieldsOf(fields.completion_tokens_details);
  return {
    inputTokens,
    outputTokens,
    ...(isTokenCount(cached) && { cachedInputTokens: Math.min(cached, inputTokens) }),
    ...(isTokenCount(reasoning) && { reasoningTokens: Math.min(reasoning, outputTokens) }),
  };
}

/** Whether a count of tokens is possible. */
export function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens;
}
