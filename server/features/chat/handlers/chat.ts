import type {
  ChatHandlers,
  CreateChatCompletionReply,
  CreateMessageReply,
  CreateResponseReply,
} from '#generated/router.ts';
import type { ChatRequest, MessagesRequest, ResponsesRequest } from '#generated/types.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import type { EventStream } from '#server/http/reply.ts';
import { requireFewItems, type RequestItems } from '../budgets/item-limits.ts';
import type { FileTexts } from '../file-texts/named-files.ts';
import type { PdfReader } from '../file-texts/pdf-reader.ts';
import { allowedModel } from '../models/allowed-model.ts';
import type { ModelPrices } from '../prices/model-prices.ts';
import type { CountsAtOnce } from '../tokens/counts-at-once.ts';
import {
  answerWhole,
  answerStreamed,
  type Answered,
  type AnswerDeps,
  type Conversation,
  type StreamingConfig,
} from './chat-answer.ts';
import { ChatChunks } from './chat-chunks.ts';
import { itemLimitsOf, quotaOf } from './chat-quotas.ts';
import { chatConversation } from './chat-request.ts';
import { usageHandlers, type UsageDeps } from './chat-usage.ts';
import { wireCompletion } from './chat-wire.ts';
import type { ClientForms } from './client-forms.ts';
import { conversationWithFiles } from './conversation-files.ts';
import { answerEmbeddings } from './embedding-answer.ts';
import { ignoredHeaders } from './left-out.ts';
import { countedTokens } from './messages/count-tokens.ts';
import { MessageEvents } from './messages/events.ts';
import { wireMessage, type ThoughtsWish } from './messages/message.ts';
import { messagesConversation } from './messages/request.ts';
import { modelHandlers, type ModelDeps } from './model-list.ts';
import { ResponseEvents } from './responses/events.ts';
import { countOfTools } from './responses/namespaces.ts';
import { responsesConversation } from './responses/request.ts';
import { WireResponse } from './responses/response.ts';

interface Deps extends Omit<AnswerDeps, 'model' | 'streaming'>, ModelDeps, UsageDeps {
  readonly streaming: StreamingConfig & {
    /** Whether chat completions may be streamed. The other forms always may. */
    readonly isOn: boolean;
  };
  readonly clientForms: ClientForms;
  /** Whether requests in the form of Open Responses are accepted. */
  readonly responses: boolean;
  /** Whether requests in the form of messages are accepted. */
  readonly messages: boolean;
  /** Returns the prices of that model now. */
  embeddingPrices(): ModelPrices | undefined;
  readonly blobs: Ports['blobs'];
  readonly pdfs: PdfReader;
  readonly counts: CountsAtOnce;
}

/** Returns the handlers of the AI gateway: its completions, its models, and the usage of its limits. */
export function chatHandlers(deps: Deps): ChatHandlers<Call> {
  return {
    ...modelHandlers(deps),
    ...usageHandlers(deps),

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
      return answerEmbeddings(deps, body, call);
    },

    async countMessageTokens({ body }, call) {
      const { caller, signal } = call;
      requireFewMessages(deps, body, call);
      allowedModel(deps.models, caller.key.ai, body.model);
      const conversation = messagesOf(deps, body, call);
      const { contextTokens } = quotaOf(caller.account, deps.limitsOfPlans());
      const counter = { id: caller.account.id, contextTokens };
      const counted = await countedTokens(deps, conversation, counter, signal);
      return { status: 200, body: counted, ...ignoredHeaders(conversation.leftOut) };
    },
  };
}

/** Chooses the model that a request names. Nothing else reads the name. */
function chosen(deps: Deps, { model: requested }: Pick<ChatRequest, 'model'>, { caller: { key } }: Call) {
  const { name, model, origin, prices } = allowedModel(deps.models, key.ai, requested);
  return { choice: { model: name, origin, prices }, answerDeps: { ...deps, model } };
}

async function complete(deps: Deps, body: ChatRequest, call: Call): Promise<CreateChatCompletionReply> {
  requireFew(deps, 'createChatCompletion', call, {
    tools: body.tools?.length ?? 0,
    messages: body.messages.length,
    field: 'messages',
    code: 'invalid_messages',
  });
  const read = (files: FileTexts) => chatConversation(body, deps.clientForms, files);
  const conversation = conversationWithFiles(deps, call, read, 'invalid_messages');
  const { choice, answerDeps } = chosen(deps, body, call);
  const requested = { ...conversation, ...choice, operation: 'chat' as const };
  const head = { ...headOf(deps), model: choice.model, includesReasoning: deps.clientForms };
  if (body.stream !== true) {
    const { answer, ...headers } = await answerWhole(answerDeps, requested, call);
    return { status: 200, body: wireCompletion(answer, head), ...headers };
  }
  if (!deps.streaming.isOn) throw new Refusal('stream_not_supported');
  const chunks = new ChatChunks({ ...head, includesUsage: body.stream_options?.include_usage === true });
  return streamReply(await answerStreamed(answerDeps, requested, call, chunks));
}

async function respond(deps: Deps, body: ResponsesRequest, call: Call): Promise<CreateResponseReply> {
  if (!deps.responses) throw new Refusal('responses_not_supported');
  requireFew(deps, 'createResponse', call, {
    tools: countOfTools(body.tools ?? []),
    messages: typeof body.input === 'string' ? 1 : body.input.length,
    field: 'input',
    code: 'invalid_input',
  });
  const read = (files: FileTexts) => responsesConversation(body, files);
  const conversation = conversationWithFiles(deps, call, read, 'invalid_input');
  const { choice, answerDeps } = chosen(deps, body, call);
  const requested = { ...conversation, ...choice, operation: 'responses' as const };
  const response = new WireResponse(body, choice.model, deps);
  if (body.stream === true)
    return streamReply(await answerStreamed(answerDeps, requested, call, new ResponseEvents(response, deps.ids)));
  const { answer, ...headers } = await answerWhole(answerDeps, requested, call);
  return { status: 200, body: response.of(answer), ...headers };
}

async function sendMessage(deps: Deps, body: MessagesRequest, call: Call): Promise<CreateMessageReply> {
  requireFewMessages(deps, body, call);
  const conversation = messagesOf(deps, body, call);
  const { choice, answerDeps } = chosen(deps, body, call);
  const requested = { ...conversation, ...choice, operation: 'messages' as const };
  const named = { id: `msg_${deps.ids.opaqueId()}`, model: choice.model, thoughts: thoughtsWish(body) };
  if (body.stream === true)
    return streamReply(await answerStreamed(answerDeps, requested, call, new MessageEvents(named)));
  const { answer, ...headers } = await answerWhole(answerDeps, requested, call);
  return { status: 200, body: wireMessage(answer, named), ...headers };
}

/** Reads a request in the form of messages, whether it is answered or only counted. */
function messagesOf(deps: Deps, body: MessagesRequest, call: Call): Conversation {
  return conversationWithFiles(deps, call, (files) => messagesConversation(body, files), 'invalid_body');
}

/** A client that does not ask for thoughts may read the first block as the text. */
function thoughtsWish({ thinking }: MessagesRequest): ThoughtsWish {
  if (!thinking?.type || thinking.type === 'disabled') return 'none';
  return thinking.display === 'omitted' ? 'carried' : 'shown';
}

/** Requests in the form of messages have the same limits, whether they are answered or only counted. */
function requireFewMessages(deps: Deps, body: MessagesRequest, call: Call): void {
  if (!deps.messages) throw new Refusal('messages_not_supported');
  requireFew(deps, 'createMessage', call, {
    tools: body.tools?.length ?? 0,
    messages: body.messages.length,
    field: 'messages',
    code: 'invalid_body',
  });
}

function requireFew(
  deps: Deps,
  form: Parameters<typeof itemLimitsOf>[0],
  { caller: { account } }: Call,
  items: RequestItems,
): void {
  requireFewItems(account.id, items, itemLimitsOf(form, account, deps.limitsOfPlans()));
}

function streamReply({ answer, ...headers }: Answered<EventStream>) {
  return { status: 200 as const, body: answer, ...headers };
}

function headOf({ ids, clock }: Pick<Deps, 'ids' | 'clock'>) {
  return { id: `chatcmpl-${ids.opaqueId()}`, created: Math.floor(clock.now() / 1000) };
}
