import type { ChatMessage as WireMessage, ChatRequest, ChatTool as WireTool } from '#generated/types.ts';
import type { ChatMessage, ChatTurn } from '../conversation/conversation.ts';
import { reasoningOf } from '../conversation/reasoning.ts';
import { sealedIn } from '../conversation/sealed.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import { given } from '#server/handlers/given.ts';
import type { FileTexts } from '../file-texts/named-files.ts';
import { fileIdIn } from './file-id.ts';
import type { LeftOut } from './left-out.ts';

/**
 * Whether the forms of clients beyond the description are accepted: text in parts, the role `developer`, and more
 * parameters.
 */
export type ClientForms = boolean;

/** A message whose content is one text, and whose role is one of the description. */
export type PlainMessage = Omit<WireMessage, 'content' | 'role'> & {
  readonly content?: string | null;
  readonly role: Exclude<WireMessage['role'], 'developer'>;
};

/**
 * Returns a message in the form of the description. A list of parts that names a file is one of them.
 *
 * @throws multimodal_not_supported, invalid_messages
 */
export function plainMessage(message: WireMessage, index: number, forms: ClientForms, files: FileTexts): PlainMessage {
  const { role, content, ...rest } = message;
  if (role === 'developer' && !forms)
    throw new Refusal('invalid_messages', {
      message: `messages[${index}].role must be system, user, assistant or tool. Got developer. ${allowing}`,
    });
  const plain = { ...rest, role: role === 'developer' ? 'system' : role } as const;
  if (!Array.isArray(content)) return content === undefined ? plain : { ...plain, content };
  const namesFile = content.some((part) => fileIdOf(part) !== undefined);
  if (!forms && !namesFile) throw new Refusal('multimodal_not_supported', ofParts(content, index));
  return { ...plain, content: joined(content, index, files) };
}

/** Adds the thoughts of a message that a client sends back, and what the model's server has sealed. */
export function withThoughts(message: ChatMessage, wire: WireMessage, forms: ClientForms): ChatMessage {
  if (!forms || message.role !== 'assistant') return message;
  const toolCalls = message.toolCalls?.map((call, at) => ({
    ...call,
    ...given({ sealed: sealedIn(wire.tool_calls![at]!) }),
  }));
  return { ...message, ...given({ toolCalls, reasoning: reasoningOf(wire), sealed: sealedIn(wire) }) };
}

/** Tells which setting lifts a refusal. */
const allowing = 'The operator of this server can allow it with CUBBY_AI=open or CUBBY_AI_CLIENT_FORMS=on.';

/**
 * Returns the message for a list of parts. Undefined if the setting would not help, because they are not only texts.
 */
function ofParts(parts: Parts, index: number): RefusalDetails {
  const areTexts = parts.length > 0 && parts.every(({ type }) => type === 'text' || type === 'refusal');
  if (!areTexts) return {};
  return { message: `messages[${index}].content is a list of texts. Send one text. ${allowing}` };
}

/** The most parts of one text. */
const mostParts = 256;

type Parts = Extract<WireMessage['content'], readonly unknown[]>;

/** Returns the file that a part names in this account. */
function fileIdOf({ type, file }: Parts[number]): string | undefined {
  return type === 'file' ? fileIdIn(file) : undefined;
}

function joined(parts: Parts, index: number, files: FileTexts): string | null {
  if (parts.length > mostParts)
    throw new Refusal('invalid_messages', {
      message: `messages[${index}].content must have at most ${mostParts} parts. Got ${parts.length}.`,
    });
  const texts = parts.map((part, at) => {
    const id = fileIdOf(part);
    if (id !== undefined) return files.textOf({ id, place: `messages[${index}].content[${at}].file.file_id` });
    if (part.type !== 'text' && part.type !== 'refusal') throw new Refusal('multimodal_not_supported');
    const text = part.type === 'text' ? part.text : part.refusal;
    if (text === undefined)
      throw new Refusal('invalid_messages', {
        message: `messages[${index}].content has a part of type ${part.type} without ${part.type}.`,
      });
    return text;
  });
  return texts.length === 0 ? null : texts.join('\n');
}

/**
 * Returns the functions. With the forms of clients, tools of other types are left out.
 *
 * @throws invalid_tools
 */
export function functionsIn(tools: readonly WireTool[], forms: ClientForms, leftOut: LeftOut) {
  return tools.flatMap(({ type, function: called }, index) => {
    if (type === 'function') {
      if (called) return [called];
      throw new Refusal('invalid_tools', { message: `tools[${index}].function is missing. Send the function.` });
    }
    if (!forms)
      throw new Refusal('invalid_tools', {
        message: `tools[${index}].type must be function. ${got(type)} ${allowing}`,
      });
    leftOut.add('tools', type);
    return [];
  });
}

type Further = Pick<ChatTurn, 'logitBias' | 'reasoningEffort' | 'verbosity'>;

/**
 * Returns the further parameters for the model.
 *
 * @throws invalid_body for what the gateway cannot keep
 */
export function furtherParameters(body: ChatRequest, forms: ClientForms): Further {
  if (!forms) return {};
  refuse((body.n ?? 1) > 1, 'n must be 1. The gateway returns one answer for each request.');
  refuse(
    body.logprobs === true || (body.top_logprobs ?? 0) > 0,
    'logprobs must be false, and top_logprobs 0. The gateway returns no probabilities.',
  );
  refuse(
    ![undefined, null, 'auto', 'default'].includes(body.service_tier),
    'service_tier must be auto or default. The gateway has one tier.',
  );
  refuse(body.store === true, 'store must be false. The gateway keeps no answers.');
  refuse((body.functions ?? []).length > 0, 'functions is the older form of tools. Send tools.');
  const { logit_bias: logitBias, reasoning_effort: reasoningEffort, verbosity } = body;
  return {
    ...(logitBias && { logitBias }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(verbosity && { verbosity }),
  };
}

function refuse(isRefused: boolean, message: string): void {
  if (isRefused) throw new Refusal('invalid_body', { message });
}
