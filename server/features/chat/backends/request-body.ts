import type {
  ChatMessage,
  ChatResponseFormat,
  ChatTool,
  ChatToolCall,
  ChatToolChoice,
  ChatTurn,
} from '../conversation/conversation.ts';
import { wireSealed } from '../conversation/sealed.ts';

/**
 * Returns the body of `POST /v1/chat/completions` for an OpenAI-compatible server. It has only fields that the caller
 * chose, because some servers reject others. The length limit has its older name, which all servers accept.
 *
 * @param model the model's name on that server
 */
export function requestBody(turn: ChatTurn, model: string): Record<string, unknown> {
  const hasTools = turn.tools !== undefined && turn.tools.length > 0;
  return {
    model,
    messages: turn.messages.map(wireMessage),
    max_tokens: turn.maxOutputTokens,
    // Some servers reject a tool choice without tools.
    ...(hasTools && { tools: turn.tools.map(wireTool) }),
    ...(hasTools && turn.toolChoice !== undefined && { tool_choice: wireToolChoice(turn.toolChoice) }),
    ...(hasTools && turn.parallelToolCalls !== undefined && { parallel_tool_calls: turn.parallelToolCalls }),
    ...(turn.responseFormat && { response_format: wireResponseFormat(turn.responseFormat) }),
    ...(turn.temperature !== undefined && { temperature: turn.temperature }),
    ...(turn.topP !== undefined && { top_p: turn.topP }),
    ...(turn.stop !== undefined && turn.stop.length > 0 && { stop: turn.stop }),
    ...(turn.seed !== undefined && { seed: turn.seed }),
    ...(turn.presencePenalty !== undefined && { presence_penalty: turn.presencePenalty }),
    ...(turn.frequencyPenalty !== undefined && { frequency_penalty: turn.frequencyPenalty }),
    ...(turn.logitBias !== undefined && { logit_bias: turn.logitBias }),
    ...(turn.reasoningEffort !== undefined && { reasoning_effort: turn.reasoningEffort }),
    ...(turn.verbosity !== undefined && { verbosity: turn.verbosity }),
  };
}

/** Returns the body of a request for a stream. Its last chunk counts the tokens. */
export function streamedRequestBody(turn: ChatTurn, model: string): Record<string, unknown> {
  return { ...requestBody(turn, model), stream: true, stream_options: { include_usage: true } };
}

function wireMessage(message: ChatMessage): Record<string, unknown> {
  const { role, content } = message;
  if (message.role === 'tool') return { role, content, tool_call_id: message.toolCallId };
  const ofAssistant = message.role === 'assistant' ? message : undefined;
  const calls = ofAssistant?.toolCalls;
  const reasoning = ofAssistant?.reasoning;
  return {
    role,
    content,
    ...(message.name !== undefined && { name: message.name }),
    ...(reasoning && { [reasoning.field]: reasoning.text }),
    ...wireSealed(ofAssistant?.sealed),
    ...(calls && calls.length > 0 && { tool_calls: calls.map(wireToolCall) }),
  };
}

function wireToolCall({ id, name, arguments: text, sealed }: ChatToolCall): Record<string, unknown> {
  return { id, type: 'function', function: { name, arguments: text }, ...wireSealed(sealed) };
}

function wireTool({ name, description, parameters, strict }: ChatTool): Record<string, unknown> {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(parameters && { parameters }),
      ...(strict !== undefined && { strict }),
    },
  };
}

function wireToolChoice(choice: ChatToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

function wireResponseFormat(format: ChatResponseFormat): Record<string, unknown> {
  if (format.type !== 'json_schema') return { type: format.type };
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}
