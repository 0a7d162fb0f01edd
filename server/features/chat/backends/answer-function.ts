import { jsonValue } from '#server/backends/json-value.ts';
import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatAnswer, ChatResponseFormat, ChatTool, ChatToolCall, ChatTurn } from '../conversation/conversation.ts';
import { GrowingText } from '../conversation/growing-text.ts';
import type { Emit } from '../conversation/handed-out.ts';

/** A turn that asks for JSON as the arguments of a function. */
interface RequestedByFunction {
  readonly turn: ChatTurn;
  /** The function's name; undefined if the answer can only call functions of the caller. */
  readonly name: string | undefined;
}

/** What `json_object` asks for. */
const anyJson: Extract<ChatResponseFormat, { type: 'json_schema' }> = { type: 'json_schema', name: 'answer' };

/** Whether the answer must be JSON. */
export function wantsJson({ responseFormat }: ChatTurn): boolean {
  return responseFormat !== undefined && responseFormat.type !== 'text';
}

/**
 * Asks for the JSON of an answer as the arguments of a function, for servers that take no `response_format`. If the
 * caller offers functions too, the model must call one of all. Returns undefined if the turn asks for no JSON, or for
 * JSON that is no object, because arguments are one.
 */
export function requestedByFunction(turn: ChatTurn): RequestedByFunction | undefined {
  const { responseFormat: format, ...rest } = turn;
  const { tools = [], toolChoice = 'auto' } = turn;
  if (format === undefined || format.type === 'text') return undefined;
  // The caller wants a call of its own functions, so there is no JSON to ask for.
  if (toolChoice === 'required' || typeof toolChoice === 'object') return { turn: rest, name: undefined };
  const {
    schema: parameters = { type: 'object' },
    strict,
    ...named
  } = format.type === 'json_schema' ? format : anyJson;
  if (parameters.type !== 'object') return undefined;
  const name = freeName(named.name, tools);
  const description = named.description ?? 'Gives the answer. Call it once, with the whole answer.';
  const answering: ChatTool = { name, description, parameters, ...(strict !== undefined && { strict }) };
  const choice = tools.length === 0 || toolChoice === 'none' ? { name } : 'required';
  return { turn: { ...rest, tools: [...tools, answering], toolChoice: choice, keepsCutCalls: true }, name };
}

/** Returns a name that no function of the caller has. */
function freeName(wanted: string, tools: readonly ChatTool[]): string {
  const taken = new Set(tools.map(({ name }) => name));
  let name = wanted;
  for (let number = 1; taken.has(name); number++) name = `answer_${number}`;
  return name;
}

/**
 * Returns the answer with the arguments of the function as its text. They replace what the model said before the call.
 * Calls of the caller's functions stay, but for one that was cut off at the length limit.
 */
export function answerOfFunction(answer: ChatAnswer, name: string): ChatAnswer {
  const given = answer.toolCalls.find((call) => call.name === name);
  const mayBeCut = answer.finishReason === 'length';
  const toolCalls = answer.toolCalls.filter((call) => call.name !== name && !(mayBeCut && !isWhole(call)));
  const text = given ? given.arguments : answer.text;
  if (toolCalls.length > 0) return { ...answer, text, toolCalls, finishReason: 'tool_calls' };
  if (!given) return { ...answer, text: text ?? '', toolCalls };
  const isCutOff = mayBeCut && !isWhole(given);
  return { ...answer, text, toolCalls, finishReason: isCutOff ? 'length' : 'stop' };
}

function isWhole({ arguments: text }: ChatToolCall): boolean {
  return jsonValue(text) !== undefined;
}

/** Returns a function that hands out the same for the pieces of a stream. A text waits, as it may only announce. */
export function piecesOfFunction(name: string, emit: Emit<ModelDelta>): Emit<ModelDelta> {
  let pending = new GrowingText();
  /** The number of the function's call in the answer. */
  let given: number | undefined;
  /** The numbers of the other calls without the function, by their numbers in the answer. */
  const indexes = new Map<number, number>();
  const release = async (): Promise<void> => {
    const text = String(pending);
    pending = new GrowingText();
    if (text !== '' && given === undefined) await emit({ type: 'text', text });
  };
  return async (delta) => {
    switch (delta.type) {
      case 'text':
        return pending.add(delta.text);
      case 'call': {
        if (delta.name === name) return void (given ??= delta.index);
        await release();
        const index = indexes.size;
        indexes.set(delta.index, index);
        return emit({ ...delta, index });
      }
      case 'arguments': {
        if (delta.index === given) return emit({ type: 'text', text: delta.text });
        const index = indexes.get(delta.index);
        return index === undefined ? undefined : emit({ ...delta, index });
      }
      case 'end': {
        await release();
        const isOver = delta.finishReason === 'tool_calls' && indexes.size === 0;
        return emit(isOver ? { ...delta, finishReason: 'stop' } : delta);
      }
      default:
        return emit(delta);
    }
  };
}
