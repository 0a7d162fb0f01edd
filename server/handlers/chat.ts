import {
  parsing,
  type ChatHandlers,
  type CreateChatCompletionReply,
  type CreateEmbeddingsReply,
  type CreateMessageReply,
  type CreateResponseReply,
} from '#generated/router.ts';
import type {
  ChatKeyUsage,
  ChatModel as ChatModelEntry,
  ChatRequest,
  ChatUsage as WireUsage,
  EmbeddingRequest,
  MessagesRequest,
  ResponsesRequest,
} from '#generated/types.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import { everyScope } from '#server/domain/access/scope.ts';
import { chatHistory } from '#server/domain/chat/chat-history.ts';
import { chatUsage, type ChatWindow, type ChatWindows, type KeyUsage } from '#server/domain/chat/chat-usage.ts';
import { defaultModel } from '#server/domain/chat/default-model.ts';
import { createEmbeddings } from '#server/domain/chat/create-embeddings.ts';
import type { EmbeddingModel } from '#server/domain/chat/embedding-model.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { completed, headersOf, streamed, type AskingDeps } from './chat-asking.ts';
import { announcing } from './chat-budgets.ts';
import { ChatChunks } from './chat-chunks.ts';
import { usageQueryOf, wireHistory } from './operator/views/chat-history.ts';
import { quotaOf } from './chat-quotas.ts';
import { turnOf } from './chat-request.ts';
import type { ClientForms } from './client-forms.ts';
import { wireCompletion } from './chat-wire.ts';
import { EmbeddingWriter, embeddingsName, inputsOf } from './embeddings.ts';
import { MessageEvents } from './messages/events.ts';
import { wireMessage } from './messages/message.ts';
import { messagesAsked } from './messages/request.ts';
import { ResponseEvents } from './responses/events.ts';
import { responsesAsked } from './responses/request.ts';
import { WireResponse } from './responses/response.ts';
import { timestamp } from './wire.ts';

interface Deps extends AskingDeps {
  readonly clientForms: ClientForms;
  /** Whether requests in the form of Open Responses are accepted. */
  readonly responses: boolean;
  /** Whether requests in the form of messages are accepted. */
  readonly messages: boolean;
  /** Undefined when the operator has named none. */
  readonly embeddings: EmbeddingModel | undefined;
}

/**
 * 1 January 2026, in seconds. The lists of chat clients need a date, and nobody knows that of the model behind the
 * name.
 */
const modelCreated = 1_767_225_600;

/** Returns the handlers of the AI gateway: its completions, its models, and the usage of its limits. */
export function chatHandlers(deps: Deps): ChatHandlers<Call> {
  return {
    async createChatCompletion({ body }, call) {
      return complete(deps, body, call);
    },

    async createResponse({ body }, call) {
      return respond(deps, body, call);
    },

    async createMessage({ body }, call) {
      return sendMessage(deps, body, call);
    },

    async createEmbeddings({ body }, call) {
      return embed(deps, body, call);
    },

    async listModels(_input, { caller: { key } }) {
      return { status: 200, body: { object: 'list', data: modelsOf(deps, key) } };
    },

    async getModel({ path }, { caller: { key } }) {
      const model = modelsOf(deps, key).find(({ id }) => id === path.model);
      if (!model) throw new Refusal('model_not_found');
      return { status: 200, body: model };
    },

    async getChatUsage(_input, { caller: { account, key } }) {
      const { requests, tokens, spend, ofKey } = await chatUsage(deps, account, quotaOf(account.plan), key);
      return {
        status: 200,
        body: {
          requests: wireUsage(requests),
          tokens: wireUsage(tokens),
          spend: wireUsage(spend),
          ...(ofKey && { key: wireKeyUsage(ofKey) }),
        },
      };
    },

    getChatUsageHistory: parsing(
      ({ query }) => usageQueryOf(query, deps.clock.now(), 'invalid_query', 'invalid_query'),
      async (query, { caller: { account, key } }) => {
        const seesAll = key.scopes.includes(everyScope) || key.scopes.includes('account:read');
        const wanted = seesAll ? query : { ...query, keyId: key.id };
        return { status: 200, body: wireHistory(query, await chatHistory(deps, account.id, wanted)) };
      },
    ),
  };
}

/** Returns the models that a key may use. */
function modelsOf({ embeddings }: Pick<Deps, 'embeddings'>, { ai }: Pick<ApiKey, 'ai'>): ChatModelEntry[] {
  const ids = embeddings ? [defaultModel, embeddingsName] : [defaultModel];
  const allowed = ids.filter((id) => !ai?.models || ai.models.includes(id));
  return allowed.map((id) => ({ id, object: 'model', created: modelCreated, owned_by: 'cubby' }));
}

/** Turns texts into vectors, and notes the figures for the log and the metrics. */
async function embed(deps: Deps, body: EmbeddingRequest, call: Call): Promise<CreateEmbeddingsReply> {
  const { account, key } = call.caller;
  const { signal, note } = call;
  const writer = new EmbeddingWriter(body.encoding_format);
  const usage = await createEmbeddings(
    { ...deps, onBudgets: announcing(call, deps.clock), onUnanswered: (reason) => note({ reason }) },
    {
      account,
      keyId: key.id,
      keyLimits: key.ai,
      model: embeddingsName,
      quota: quotaOf(account.plan),
      inputs: inputsOf(body.input),
      dimensions: body.dimensions ?? undefined,
      signal,
      take: (vectors) => writer.add(vectors),
    },
  );
  note({ input_tokens: usage.inputTokens });
  return { status: 200, body: writer.end(usage.inputTokens) };
}

async function complete(deps: Deps, body: ChatRequest, call: Call): Promise<CreateChatCompletionReply> {
  const asked = { turn: turnOf(body, deps.clientForms), model: defaultModel };
  const head = { ...headOf(deps), model: asked.model };
  if (body.stream !== true)
    return { status: 200, body: wireCompletion(await completed(deps, asked, call), head), ...headersOf(deps) };
  const chunks = new ChatChunks({ ...head, includesUsage: body.stream_options?.include_usage === true });
  return { status: 200, body: await streamed(deps, asked, call, chunks), ...headersOf(deps) };
}

async function respond(deps: Deps, body: ResponsesRequest, call: Call): Promise<CreateResponseReply> {
  if (!deps.responses) throw new Refusal('responses_not_supported');
  const asked = { ...responsesAsked(body), model: defaultModel };
  const response = new WireResponse(body, asked.model, deps);
  if (body.stream !== true)
    return { status: 200, body: response.of(await completed(deps, asked, call)), ...headersOf(deps) };
  return {
    status: 200,
    body: await streamed(deps, asked, call, new ResponseEvents(response, deps.ids)),
    ...headersOf(deps),
  };
}

async function sendMessage(deps: Deps, body: MessagesRequest, call: Call): Promise<CreateMessageReply> {
  if (!deps.messages) throw new Refusal('messages_not_supported');
  const asked = { ...messagesAsked(body), model: defaultModel };
  const named = { id: `msg_${deps.ids.opaqueId()}`, model: asked.model };
  if (body.stream !== true)
    return { status: 200, body: wireMessage(await completed(deps, asked, call), named), ...headersOf(deps) };
  return { status: 200, body: await streamed(deps, asked, call, new MessageEvents(named)), ...headersOf(deps) };
}

function headOf({ ids, clock }: Pick<Deps, 'ids' | 'clock'>) {
  return { id: `chatcmpl-${ids.opaqueId()}`, created: Math.floor(clock.now() / 1000) };
}

function wireUsage({ today, week }: ChatWindows): WireUsage {
  return { today: wireWindow(today), week: wireWindow(week) };
}

function wireWindow({ used, limit, resetsAt }: ChatWindow): WireUsage['today'] {
  return { used, limit, resets_at: timestamp(resetsAt) };
}

function wireKeyUsage({ requests, tokens, spend, minute, models }: KeyUsage): ChatKeyUsage {
  return {
    requests: wireWindow(requests),
    tokens: wireWindow(tokens),
    spend: wireWindow(spend),
    minute: wireWindow(minute),
    ...(models && { models: [...models] }),
  };
}
