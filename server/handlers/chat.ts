import type {
  ChatHandlers,
  CreateChatCompletionReply,
  CreateMessageReply,
  CreateResponseReply,
  EventStream,
} from '#generated/router.ts';
import type {
  ChatModel as ChatModelEntry,
  ChatRequest,
  ChatUsage as WireUsage,
  MessagesRequest,
  ResponsesRequest,
} from '#generated/types.ts';
import { chatUsage, type ChatWindow, type ChatWindows } from '#server/domain/chat/chat-usage.ts';
import { defaultModel } from '#server/domain/chat/default-model.ts';
import type { EmbeddingModel } from '#server/domain/chat/embedding-model.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { aiRequestPage } from './ai-requests.ts';
import type { Call } from './call.ts';
import { completed, streamed, type Answered, type AskingDeps } from './chat-asking.ts';
import { ChatChunks } from './chat-chunks.ts';
import { quotaOf } from './chat-quotas.ts';
import { turnOf } from './chat-request.ts';
import type { ClientForms } from './client-forms.ts';
import { wireCompletion } from './chat-wire.ts';
import { embedded } from './embedding-asking.ts';
import { embeddingsName } from './embeddings.ts';
import { MessageEvents } from './messages/events.ts';
import { wireMessage } from './messages/message.ts';
import { messagesAsked } from './messages/request.ts';
import type { Ports } from './ports.ts';
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
  readonly secrets: Ports['secrets'];
  /** For how many days requests are recorded; 0: they are not. */
  readonly requestLogDays: number;
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
      return embedded(deps, body, call);
    },

    async listModels() {
      return { status: 200, body: { object: 'list', data: modelsOf(deps) } };
    },

    async getModel({ path }) {
      const model = modelsOf(deps).find(({ id }) => id === path.model);
      if (!model) throw new Refusal('model_not_found');
      return { status: 200, body: model };
    },

    async listAiRequests({ query }, { caller: { account } }) {
      return { status: 200, body: await aiRequestPage(deps, account, query) };
    },

    async getChatUsage(_input, { caller: { account } }) {
      const { requests, tokens, spend } = await chatUsage(deps, account, quotaOf(account.plan));
      return {
        status: 200,
        body: { requests: wireUsage(requests), tokens: wireUsage(tokens), spend: wireUsage(spend) },
      };
    },
  };
}

function modelsOf({ embeddings }: Pick<Deps, 'embeddings'>): ChatModelEntry[] {
  const ids = embeddings ? (['cubic', embeddingsName] as const) : (['cubic'] as const);
  return ids.map((id) => ({ id, object: 'model', created: modelCreated, owned_by: 'cubby' }));
}

async function complete(deps: Deps, body: ChatRequest, call: Call): Promise<CreateChatCompletionReply> {
  const asked = { turn: turnOf(body, deps.clientForms), model: defaultModel, operation: 'chat' as const };
  const head = { ...headOf(deps), model: asked.model };
  if (body.stream !== true) {
    const { answer, ...headers } = await completed(deps, asked, call);
    return { status: 200, body: wireCompletion(answer, head), ...headers };
  }
  const chunks = new ChatChunks({ ...head, includesUsage: body.stream_options?.include_usage === true });
  return streamReply(await streamed(deps, asked, call, chunks));
}

async function respond(deps: Deps, body: ResponsesRequest, call: Call): Promise<CreateResponseReply> {
  if (!deps.responses) throw new Refusal('responses_not_supported');
  const asked = { ...responsesAsked(body), model: defaultModel, operation: 'responses' as const };
  const response = new WireResponse(body, asked.model, deps);
  if (body.stream === true)
    return streamReply(await streamed(deps, asked, call, new ResponseEvents(response, deps.ids)));
  const { answer, ...headers } = await completed(deps, asked, call);
  return { status: 200, body: response.of(answer), ...headers };
}

async function sendMessage(deps: Deps, body: MessagesRequest, call: Call): Promise<CreateMessageReply> {
  if (!deps.messages) throw new Refusal('messages_not_supported');
  const asked = { ...messagesAsked(body), model: defaultModel, operation: 'messages' as const };
  const named = { id: `msg_${deps.ids.opaqueId()}`, model: asked.model };
  if (body.stream === true) return streamReply(await streamed(deps, asked, call, new MessageEvents(named)));
  const { answer, ...headers } = await completed(deps, asked, call);
  return { status: 200, body: wireMessage(answer, named), ...headers };
}

function streamReply({ answer, ...headers }: Answered<EventStream>) {
  return { status: 200 as const, body: answer, ...headers };
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
