import type { ChatRequest, ChatTool as WireTool } from '#generated/types.ts';
import type { ChatMessage, ChatResponseFormat, ChatToolChoice } from '../conversation/conversation.ts';
import type { FileTexts } from '../file-texts/named-files.ts';
import type { Conversation } from './chat-answer.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { distinctTools, OfferedTools } from './chat-tools.ts';
import {
  functionsIn,
  furtherParameters,
  plainMessage,
  withThoughts,
  type ClientForms,
  type PlainMessage,
} from './client-forms.ts';
import { given } from '#server/handlers/given.ts';
import { LeftOut } from './left-out.ts';

/**
 * Reads the conversation of a request, and checks what a schema cannot.
 *
 * @param forms whether forms of clients beyond the description are accepted
 * @throws invalid_messages, multimodal_not_supported, invalid_tools, invalid_tool_choice, invalid_body
 */
export function chatConversation(body: ChatRequest, forms: ClientForms, files: FileTexts): Conversation {
  const messages = body.messages.map((message, index) =>
    withThoughts(messageOf(plainMessage(message, index, forms, files), index), message, forms),
  );
  const leftOut = new LeftOut();
  const offered = offeredTools(body.tools ?? [], forms, leftOut);
  const { tools } = offered;
  const toolChoice = toolChoiceOf(body.tool_choice, offered);
  const { stop } = body;
  const turn = {
    messages,
    ...(tools.length > 0 && { tools, ...given({ parallelToolCalls: body.parallel_tool_calls }) }),
    // It applies without functions too, because the gateway has one of its own.
    ...given({ toolChoice }),
    ...furtherParameters(body, forms),
    ...given({
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
      responseFormat: responseFormatOf(body.response_format),
      temperature: body.temperature,
      topP: body.top_p,
      stop: typeof stop === 'string' ? [stop] : stop?.length === 0 ? undefined : stop,
      seed: body.seed,
      presencePenalty: body.presence_penalty,
      frequencyPenalty: body.frequency_penalty,
    }),
  };
  return { turn, leftOut: leftOut.list };
}

function messageOf({ role, content, name, tool_calls, tool_call_id }: PlainMessage, index: number): ChatMessage {
  const refuse = (what: string) => new Refusal('invalid_messages', { message: `messages[${index}] ${what}` });
  // Clients send an empty list if there are none.
  const calls = tool_calls && tool_calls.length > 0 ? tool_calls : undefined;
  if (calls && role !== 'assistant') throw refuse('has tool_calls, which only assistant messages may have.');
  if (typeof tool_call_id === 'string' && role !== 'tool')
    throw refuse('has a tool_call_id, which only tool messages may have.');
  const named = given({ name });
  if (role === 'assistant') {
    if (!calls && typeof content !== 'string') throw refuse('has no content. Send a text as content.');
    const toolCalls = calls?.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text }));
    return { role, content: content ?? null, ...named, ...given({ toolCalls }) };
  }
  if (typeof content !== 'string') throw refuse('has no content. Send a text as content.');
  if (role !== 'tool') return { role, content, ...named };
  if (typeof tool_call_id !== 'string')
    throw refuse('has no tool_call_id. Send the id of the tool call that it answers.');
  return { role, content, toolCallId: tool_call_id };
}

function offeredTools(tools: readonly WireTool[], forms: ClientForms, leftOut: LeftOut): OfferedTools {
  const functions = functionsIn(tools, forms, leftOut);
  const offered = functions.map(({ name, description, parameters, strict }) => ({
    name,
    ...given({ description, parameters, strict }),
  }));
  return new OfferedTools(distinctTools(offered));
}

function toolChoiceOf(choice: ChatRequest['tool_choice'], offered: OfferedTools): ChatToolChoice | undefined {
  if (choice === null || choice === undefined) return undefined;
  return offered.possible(typeof choice === 'string' ? choice : { name: choice.function.name });
}

function responseFormatOf(format: ChatRequest['response_format']): ChatResponseFormat | undefined {
  if (!format) return undefined;
  if (!('json_schema' in format) || format.type !== 'json_schema')
    return { type: format.type as 'text' | 'json_object' };
  const { name, description, schema, strict } = format.json_schema;
  return { type: 'json_schema', name, ...given({ description, schema, strict }) };
}
