import type { ResponsesRequest, ResponsesTool } from '#generated/types.ts';
import type { ChatMessage, ChatResponseFormat, ChatTool, ChatToolChoice } from '../../conversation/conversation.ts';
import type { RequestedTurn } from '../../create-completion.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { FileTexts } from '../../file-texts/named-files.ts';
import type { Conversation } from '../chat-answer.ts';
import { distinctTools, functionName, OfferedTools } from '../chat-tools.ts';
import { given } from '#server/handlers/given.ts';
import { LeftOut } from '../left-out.ts';
import { messagesOf } from './items.ts';
import { hasFunctions, Namespaces } from './namespaces.ts';

/**
 * Reads the conversation of a request in the form of Open Responses, and checks what a schema cannot.
 *
 * @throws invalid_input, multimodal_not_supported, invalid_tools, invalid_tool_choice, invalid_body
 */
export function responsesConversation(body: ResponsesRequest, files: FileTexts): Conversation {
  refuseState(body);
  const items = typeof body.input === 'string' ? [{ role: 'user' as const, content: body.input }] : body.input;
  const leftOut = new LeftOut();
  const namespaces = new Namespaces(body.tools ?? [], leftOut);
  const { messages, places } = messagesOf(items, leftOut, namespaces, files);
  const instructions: readonly ChatMessage[] = body.instructions
    ? [{ role: 'system', content: body.instructions }]
    : [];
  return {
    turn: { messages: [...instructions, ...messages], ...parametersOf(body, leftOut, namespaces) },
    leftOut: leftOut.list,
    texts: {
      place: (index) => `input[${places[index - instructions.length]}]`,
      rule:
        'Each function_call_output must answer a function_call of the items before it, and call ' +
        'ids must not repeat.',
    },
  };
}

function parametersOf(
  body: ResponsesRequest,
  leftOut: LeftOut,
  namespaces: Namespaces,
): Omit<RequestedTurn, 'messages'> {
  const offered = offeredTools(body.tools ?? [], leftOut, namespaces);
  const { tools, toolChoice } = chosenOf(body.tool_choice, offered);
  return {
    ...(tools.length > 0 && { tools, ...given({ parallelToolCalls: body.parallel_tool_calls }) }),
    ...given({
      toolChoice,
      maxOutputTokens: body.max_output_tokens,
      responseFormat: formatOf(body.text?.format),
      temperature: body.temperature,
      topP: body.top_p,
      presencePenalty: body.presence_penalty,
      frequencyPenalty: body.frequency_penalty,
      reasoningEffort: body.reasoning?.effort,
      verbosity: body.text?.verbosity,
    }),
  };
}

/** Rejects what needs stored answers, and what a client would miss. */
function refuseState({ store, background, truncation, include, top_logprobs, service_tier }: ResponsesRequest): void {
  refuse(store === true, 'store must be false. The gateway keeps no answers.');
  refuse(background === true, 'background must be false. The gateway answers at once.');
  refuse(
    ![undefined, null, 'disabled'].includes(truncation),
    'truncation must be disabled. The gateway drops no items.',
  );
  refuse(
    (top_logprobs ?? 0) > 0 || (include ?? []).includes('message.output_text.logprobs'),
    'top_logprobs must be 0, and include must not have message.output_text.logprobs. The gateway returns no ' +
      'probabilities.',
  );
  refuse(
    ![undefined, null, 'auto', 'default'].includes(service_tier),
    'service_tier must be auto or default. The gateway has one tier.',
  );
}

function refuse(isRefused: boolean, message: string): void {
  if (isRefused) throw new Refusal('invalid_body', { message });
}

/** Returns the functions, also those of namespaces. Leaves out tools that run elsewhere. */
function offeredTools(tools: readonly ResponsesTool[], leftOut: LeftOut, namespaces: Namespaces): OfferedTools {
  const others = tools.filter((tool) => tool.type !== 'function' && !hasFunctions(tool));
  for (const { type } of others) leftOut.add('tools', type);
  const functions = tools.flatMap(({ type, name, description, parameters, strict }, index) =>
    type === 'function'
      ? [{ name: functionName(name, `tools[${index}]`), ...given({ description, parameters, strict }) }]
      : [],
  );
  return new OfferedTools([...distinctTools(functions), ...namespaces.tools], others);
}

interface Chosen {
  readonly tools: readonly ChatTool[];
  readonly toolChoice: ChatToolChoice | undefined;
}

/** @throws invalid_tool_choice, also for one of a tool that is left out: it would change what the model must do */
function chosenOf(choice: ResponsesRequest['tool_choice'], offered: OfferedTools): Chosen {
  const { tools } = offered;
  if (choice === null || choice === undefined) return { tools, toolChoice: undefined };
  if (choice === 'auto' || choice === 'none' || choice === 'required')
    return { tools, toolChoice: offered.possible(choice) };
  if (typeof choice === 'object' && choice.type === 'function' && choice.name !== undefined)
    return { tools, toolChoice: offered.possible({ name: choice.name }) };
  if (typeof choice !== 'object' || choice.type !== 'allowed_tools')
    throw offered.impossible(typeof choice === 'object' ? (choice.name ?? choice.type) : undefined);
  const { mode = 'auto' } = choice;
  const allowed = (choice.tools ?? []).filter(({ type }) => type === undefined || type === 'function');
  for (const { name = '' } of allowed) offered.possible({ name });
  if (allowed.length === 0) throw offered.impossible(choice.tools?.[0]?.name ?? choice.tools?.[0]?.type);
  if (mode !== 'auto' && mode !== 'required') throw new Refusal('invalid_tool_choice');
  const names = new Set(allowed.map(({ name }) => name));
  return { tools: tools.filter(({ name }) => names.has(name)), toolChoice: mode };
}

function formatOf(format: NonNullable<ResponsesRequest['text']>['format']): ChatResponseFormat | undefined {
  if (!format) return undefined;
  const { type, name, description, schema, strict } = format;
  if (type !== 'json_schema') return { type };
  refuse(!name, 'text.format.name is missing. Send a name for the schema.');
  return { type, name: name!, ...given({ description, schema, strict }) };
}
