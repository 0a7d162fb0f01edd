import type { ChatAnswer, ChatTurn, TokenUsage } from '../conversation/conversation.ts';
import type { Attributes } from '#server/telemetry/tracing.ts';
import { fieldsOf } from '#server/backends/json-value.ts';
import { isTokenCount } from './answer.ts';

/** Names of a server are short. A longer one is cut. */
const longestName = 256;

/**
 * Returns the facts about a server and its model.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function serverAttributes(url: string, model: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return {
    // "openai" is also the value for servers that speak its protocol, unless another one is known.
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

/** Returns the parameters of a turn. None of its texts. */
export function turnAttributes(turn: ChatTurn, isStreamed: boolean): Attributes {
  const { type } = turn.responseFormat ?? {};
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.max_tokens': turn.maxOutputTokens,
    'gen_ai.request.temperature': turn.temperature,
    'gen_ai.request.top_p': turn.topP,
    'gen_ai.request.stop_sequences': turn.stop,
    'gen_ai.request.seed': turn.seed,
    'gen_ai.request.presence_penalty': turn.presencePenalty,
    'gen_ai.request.frequency_penalty': turn.frequencyPenalty,
    // "If the request is not streaming, the attribute SHOULD NOT be set."
    'gen_ai.request.stream': isStreamed || undefined,
    'gen_ai.output.type': type && (type === 'text' ? 'text' : 'json'),
  };
}

/** Returns what a server says about itself in a response, or in a piece of a stream. */
export function responseAttributes(body: unknown): Attributes {
  const { id, model, usage } = fieldsOf(body);
  const details = fieldsOf(fieldsOf(usage).prompt_tokens_details);
  const { reasoning_tokens: reasoning } = fieldsOf(fieldsOf(usage).completion_tokens_details);
  return {
    'gen_ai.response.id': nameIn(id),
    'gen_ai.response.model': nameIn(model),
    'gen_ai.usage.cache_read.input_tokens': isTokenCount(details.cached_tokens) ? details.cached_tokens : undefined,
    'gen_ai.usage.reasoning.output_tokens': isTokenCount(reasoning) ? reasoning : undefined,
  };
}

export function usageAttributes({ inputTokens, outputTokens }: TokenUsage): Attributes {
  return { 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens };
}

/** Returns how an answer has ended, with the names of the functions that it calls. */
export function endAttributes(
  finishReason: ChatAnswer['finishReason'],
  called: ReadonlyArray<{ readonly name: string }>,
): Attributes {
  return {
    'gen_ai.response.finish_reasons': [finishReason],
    'cubby.tool_calls': called.length > 0 ? called.map(({ name }) => name) : undefined,
  };
}

function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, longestName) : undefined;
}
