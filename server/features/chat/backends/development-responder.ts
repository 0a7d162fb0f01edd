import type {
  ChatAnswer,
  ChatMessage,
  ChatTool,
  ChatToolCall,
  ChatTurn,
  FinishReason,
} from '../conversation/conversation.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { callIdsIn } from './call-ids.ts';
import { bytesPerToken, estimatedUsage, tokensOf } from './estimated-usage.ts';
import { givenUp } from './model-errors.ts';
import { deltasOf } from './whole-answer.ts';
import { sampleValue } from './sample-value.ts';

/** The beginning of every answer in text. */
export const label = '[development responder]';

/** Characters of a message that are repeated. */
const mostRepeated = 500;

/**
 * Replaces a model while a frontend is developed. The same conversation always gets the same answer, and the answer
 * names its source. It calls a function that the last message names or that must be called, with arguments from its
 * schema. It repeats the results of functions, and returns JSON if JSON is requested.
 */
export function developmentResponder(): ChatModel {
  return {
    isDevelopmentResponder: true,
    complete: async (turn) => answerOf(turn),
    // Word by word.
    async stream(turn, signal, { emit }) {
      for (const delta of deltasOf(answerOf(turn), /(?<=\s)(?=\S)/)) {
        if (signal.aborted) throw givenUp(signal);
        await emit(delta);
      }
    },
    close: async () => {},
  };
}

function answerOf(turn: ChatTurn): ChatAnswer {
  const called = toolsToCall(turn);
  const whole = called.length > 0 ? callsAnswer(called, turn) : textAnswer(textOf(turn), turn);
  return { ...whole, usage: estimatedUsage(turn, whole) };
}

function toolsToCall({
  tools = [],
  toolChoice = 'auto',
  messages,
  parallelToolCalls = true,
}: ChatTurn): readonly ChatTool[] {
  if (toolChoice === 'none') return [];
  if (typeof toolChoice === 'object') return tools.filter(({ name }) => name === toolChoice.name).slice(0, 1);
  const last = messages.at(-1);
  const names = namesIn(last?.role === 'user' ? last.content : '');
  const named = tools.filter(({ name }) => names.has(name));
  const chosen = named.length === 0 && toolChoice === 'required' ? tools.slice(0, 1) : named;
  return parallelToolCalls ? chosen : chosen.slice(0, 1);
}

/** Returns what may be names of functions in a text. `find_invoice` is one name. */
function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/[^A-Za-z0-9_-]+/));
}

function callsAnswer(tools: readonly ChatTool[], turn: ChatTurn): Omit<ChatAnswer, 'usage'> {
  const ids = unusedIds(turn.messages, tools.length);
  const toolCalls = tools.map(({ name, parameters }, at): ChatToolCall => {
    const given = sampleValue({ type: 'object', ...parameters }, 'sample');
    return { id: ids[at]!, name, arguments: JSON.stringify(given) };
  });
  const tokens = tokensOf(toolCalls.map((call) => call.name + call.arguments).join(''));
  // Half a call is useless.
  if (tokens > turn.maxOutputTokens) return { text: '', toolCalls: [], finishReason: 'length' };
  return { text: null, toolCalls, finishReason: 'tool_calls' };
}

/** Ids must be unique in a conversation, and the client sends these back with the next turn. */
function unusedIds(messages: readonly ChatMessage[], count: number): string[] {
  const used = callIdsIn(messages);
  const ids: string[] = [];
  for (let number = 1; ids.length < count; number++) {
    const id = `call_${number}`;
    if (!used.has(id)) ids.push(id);
  }
  return ids;
}

function textOf({ messages, responseFormat: format = { type: 'text' } }: ChatTurn): string {
  if (format.type === 'json_schema') return JSON.stringify(sampleValue(format.schema ?? { type: 'object' }, label));
  const text = `${label} ${plainAnswer(messages)}`;
  return format.type === 'json_object' ? JSON.stringify({ reply: text }) : text;
}

function plainAnswer(messages: readonly ChatMessage[]): string {
  const firstResult = messages.findLastIndex(({ role }) => role !== 'tool') + 1;
  const results = messages.slice(firstResult).map(({ content }) => `"${repeated(content)}"`);
  if (results.length > 0)
    return `The functions answered ${results.join(' and ')}. A model would now say what that means.`;
  const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const repeats = `This server has no model, so this answer only repeats your message: "${repeated(said)}".`;
  return `${repeats} The operator can connect a model; see docs/ai/running.md.`;
}

function repeated(content: string | null): string {
  const letters = Array.from((content ?? '').slice(0, 2 * mostRepeated));
  return letters.length > mostRepeated ? `${letters.slice(0, mostRepeated).join('')}…` : letters.join('');
}

/** Cuts the text at its first stop sequence and at the length limit. */
function textAnswer(whole: string, { stop = [], maxOutputTokens }: ChatTurn): Omit<ChatAnswer, 'usage'> {
  const ends = stop
    .filter((text) => text !== '')
    .map((text) => whole.indexOf(text))
    .filter((at) => at >= 0);
  const stopped = whole.slice(0, Math.min(whole.length, ...ends));
  const text = startOf(stopped, maxOutputTokens);
  const finishReason: FinishReason = text === stopped ? 'stop' : 'length';
  return { text, toolCalls: [], finishReason };
}

function startOf(text: string, maxTokens: number): string {
  if (tokensOf(text) <= maxTokens) return text;
  const bytes = Buffer.from(text).subarray(0, maxTokens * bytesPerToken);
  // Leaves out a character that was cut in two.
  return new TextDecoder().decode(bytes, { stream: true });
}
