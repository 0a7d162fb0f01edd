import type {
  ResponsesAnswer,
  ResponsesFunctionCall,
  ResponsesMessage,
  ResponsesReasoning,
  ResponsesRequest,
} from '#generated/types.ts';
import type { Citation } from '../../search/citations.ts';
import type { Completion } from '../../completion/completion.ts';
import type { ChatToolCall, FinishReason, TokenUsage } from '../../conversation/conversation.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { carryThoughts, thoughtsOf, type CarriedThoughts } from '../carried-thoughts.ts';
import { Namespaces, type ClientName } from './namespaces.ts';

export type OutputItem = ResponsesMessage | ResponsesFunctionCall | ResponsesReasoning;
export type ItemStatus = OutputItem['status'];

/** What changes of a response while it is written. */
type State = Pick<ResponsesAnswer, 'status' | 'output'> &
  Partial<Pick<ResponsesAnswer, 'completed_at' | 'incomplete_details' | 'error' | 'usage'>>;

/** One response. Each of its states repeats the fields of the request. */
export class WireResponse {
  readonly #id: string;
  readonly #created: number;
  readonly #request: ResponsesRequest;
  readonly #model: string;
  readonly #namespaces: Namespaces;
  readonly #ports: Pick<Ports, 'ids' | 'clock'>;

  constructor(request: ResponsesRequest, model: string, ports: Pick<Ports, 'ids' | 'clock'>) {
    this.#id = `resp_${ports.ids.opaqueId()}`;
    this.#created = Math.floor(ports.clock.now() / 1000);
    this.#request = request;
    this.#model = model;
    this.#namespaces = new Namespaces(request.tools ?? []);
    this.#ports = ports;
  }

  /** Returns a whole answer. */
  of(completion: Completion): ResponsesAnswer {
    const { text, toolCalls, citations, finishReason, reasoning } = completion;
    const carried = reasoning || this.carriesThoughts ? thoughtsOf(completion) : undefined;
    const { ids } = this.#ports;
    const calls = toolCalls.map((call) => this.callItem(`fc_${ids.opaqueId()}`, call, 'completed'));
    const isLast = calls.length === 0 && reasonOf(finishReason) !== undefined;
    const message = text
      ? [messageItem(`msg_${ids.opaqueId()}`, text, isLast ? 'incomplete' : 'completed', citations)]
      : [];
    const isCutOff = isLast && !text;
    const thoughts = carried
      ? [this.reasoningItem(`rs_${ids.opaqueId()}`, carried, isCutOff ? 'incomplete' : 'completed')]
      : [];
    return this.ended(completion, [...thoughts, ...message, ...calls]);
  }

  /** Whether the client carries thoughts to its next request. */
  get carriesThoughts(): boolean {
    return this.#request.include?.includes('reasoning.encrypted_content') ?? false;
  }

  /** Returns the model's thoughts as an item. A client that wants to send them back asks for `encrypted_content`. */
  reasoningItem(id: string, thoughts: CarriedThoughts, status: ItemStatus): ResponsesReasoning {
    const { text } = thoughts.reasoning;
    return {
      type: 'reasoning',
      id,
      status,
      summary: [],
      content: text === '' ? [] : [reasoningPart(text)],
      ...(status !== 'in_progress' && this.carriesThoughts && { encrypted_content: carryThoughts(thoughts) }),
    };
  }

  clientName(name: string): ClientName {
    return this.#namespaces.clientName(name);
  }

  /** Returns a call, of the function as the client knows it. */
  callItem(id: string, call: ChatToolCall, status: ItemStatus): ResponsesFunctionCall {
    const named = this.clientName(call.name);
    return { type: 'function_call', id, status, call_id: call.id, ...named, arguments: call.arguments };
  }

  /** Returns the state at the end of an answer. */
  ended({ finishReason, usage }: Completion, output: OutputItem[]): ResponsesAnswer {
    const reason = reasonOf(finishReason);
    const completed_at = Math.floor(this.#ports.clock.now() / 1000);
    return this.at({
      output,
      usage: wireUsage(usage),
      ...(reason ? { status: 'incomplete', incomplete_details: { reason } } : { status: 'completed', completed_at }),
    });
  }

  at(state: State): ResponsesAnswer {
    const { tools, tool_choice, instructions, metadata, max_output_tokens, text, reasoning } = this.#request;
    return {
      id: this.#id,
      object: 'response',
      created_at: this.#created,
      completed_at: null,
      incomplete_details: null,
      model: this.#model,
      previous_response_id: null,
      instructions: instructions ?? null,
      error: null,
      tools: (tools ?? [])
        .filter(({ type }) => type === 'function')
        .map(({ name, description = null, parameters = null, strict = null }) => ({
          type: 'function',
          name: name!,
          description,
          parameters,
          strict,
        })),
      tool_choice: tool_choice ?? 'auto',
      truncation: 'disabled',
      parallel_tool_calls: this.#request.parallel_tool_calls ?? true,
      text: {
        format: { ...(text?.format ?? { type: 'text' }) },
        ...(text?.verbosity && { verbosity: text.verbosity }),
      },
      ...this.#sampling(),
      reasoning: { effort: reasoning?.effort ?? null, summary: null },
      usage: null,
      max_output_tokens: max_output_tokens ?? null,
      max_tool_calls: null,
      store: false,
      background: false,
      service_tier: 'default',
      metadata: metadata ?? {},
      safety_identifier: null,
      prompt_cache_key: null,
      ...state,
    };
  }

  #sampling() {
    const { temperature, top_p, presence_penalty, frequency_penalty } = this.#request;
    return {
      temperature: temperature ?? 1,
      top_p: top_p ?? 1,
      presence_penalty: presence_penalty ?? 0,
      frequency_penalty: frequency_penalty ?? 0,
      top_logprobs: 0 as const,
    };
  }
}

/** Returns why an answer ended early; undefined if it did not. */
export function reasonOf(
  finishReason: FinishReason,
): NonNullable<ResponsesAnswer['incomplete_details']>['reason'] | undefined {
  if (finishReason === 'length') return 'max_output_tokens';
  return finishReason === 'content_filter' ? 'content_filter' : undefined;
}

type TextPart = ResponsesMessage['content'][number];

export function textPart(text: string, citations: readonly Citation[] = []): TextPart {
  const annotations = citations.map(({ url, title, startIndex, endIndex }) => ({
    type: 'url_citation' as const,
    url,
    title,
    start_index: startIndex,
    end_index: endIndex,
  }));
  return { type: 'output_text', text, annotations, logprobs: [] };
}

export function reasoningPart(text: string): ResponsesReasoning['content'][number] {
  return { type: 'reasoning_text', text };
}

export function messageItem(
  id: string,
  text: string | undefined,
  status: ItemStatus,
  citations?: readonly Citation[],
): ResponsesMessage {
  const content = text === undefined ? [] : [textPart(text, citations)];
  return { type: 'message', id, status, role: 'assistant', content };
}

function wireUsage(usage: TokenUsage): NonNullable<ResponsesAnswer['usage']> {
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
