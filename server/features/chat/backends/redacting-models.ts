import { Refusal } from '#server/domain/refusal.ts';
import type { ChatMessage, ChatTurn } from '../conversation/conversation.ts';
import { ChatModelUnavailable, type ChatModel } from '../models/chat-model.ts';
import type { ChatModels, NamedModel } from '../models/chat-models.ts';
import type { EmbeddingInput, EmbeddingModel } from '../models/embedding-model.ts';
import { withStrings, type SealedParts } from '../conversation/sealed.ts';
import { RedactionTooSlow, type Redactor } from './redactor.ts';

/** Returns the redactions in force. A file of models may change them. */
type Current = () => Redactor;

/** Returns models to whose servers texts go as the redactions leave them. */
export function redactingModels(models: ChatModels, current: Current): ChatModels {
  return {
    names: () => models.names(),
    find: (name) => models.find(name),
    choose(name): NamedModel {
      const chosen = models.choose(name);
      const redactor = current();
      return redactor.isEmpty ? chosen : { ...chosen, model: redactingModel(chosen.model, redactor) };
    },
  };
}

function redactingModel(model: ChatModel, redactor: Redactor): ChatModel {
  return {
    isDevelopmentResponder: model.isDevelopmentResponder,
    complete: async (turn, ...others) => model.complete(await redactedTurn(turn, redactor), ...others),
    stream: async (turn, ...others) => model.stream(await redactedTurn(turn, redactor), ...others),
    close: () => model.close(),
  };
}

/** Returns a model for embeddings to whose server texts go as the redactions leave them. */
export function redactingEmbeddings(model: EmbeddingModel, current: Current): EmbeddingModel {
  return {
    batchSize: model.batchSize,
    async embed(request, ...others) {
      const redactor = current();
      const inputs = redactor.isEmpty ? request.inputs : await redactedTexts(textsOf(request.inputs), redactor);
      return model.embed({ ...request, inputs }, ...others);
    },
    close: () => model.close(),
  };
}

function textsOf(inputs: readonly EmbeddingInput[]): readonly string[] {
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    throw new Refusal('invalid_request', {
      message:
        'Send texts instead of tokens: the operator has parts of texts redacted, which cannot be done to tokens.',
    });
  });
}

/** Returns a turn whose messages have what the redactions leave of their texts. */
async function redactedTurn(turn: ChatTurn, redactor: Redactor): Promise<ChatTurn> {
  const texts: string[] = [];
  const keep = (text: string): string => {
    texts.push(text);
    return text;
  };
  for (const message of turn.messages) mapTexts(message, keep);
  const redacted = (await redactedTexts(texts, redactor)).values();
  return { ...turn, messages: turn.messages.map((message) => mapTexts(message, () => redacted.next().value!)) };
}

/** Returns a message with each of its texts replaced, always in the same order. */
function mapTexts(message: ChatMessage, change: (text: string) => string): ChatMessage {
  if (message.role !== 'assistant') return { ...message, content: change(message.content) };
  const { content, toolCalls, reasoning, sealed, ...rest } = message;
  return {
    ...rest,
    content: content === null ? null : change(content),
    ...(toolCalls && {
      toolCalls: toolCalls.map(({ sealed, ...call }) => ({
        ...call,
        arguments: change(call.arguments),
        ...unchanged(sealed, change),
      })),
    }),
    ...(reasoning && { reasoning: { ...reasoning, text: change(reasoning.text) } }),
    ...unchanged(sealed, change),
  };
}

/** A server rejects sealed parts that were changed, so those with something to redact are left out. */
function unchanged(
  sealed: SealedParts | undefined,
  change: (text: string) => string,
): { readonly sealed?: SealedParts } {
  if (!sealed) return {};
  let isSame = true;
  withStrings(sealed, (text) => {
    isSame = change(text) === text && isSame;
    return text;
  });
  return isSame ? { sealed } : {};
}

async function redactedTexts(texts: readonly string[], redactor: Redactor): Promise<readonly string[]> {
  try {
    return await redactor.redact(texts);
  } catch (error) {
    throw error instanceof RedactionTooSlow ? new ChatModelUnavailable(error.message) : error;
  }
}
