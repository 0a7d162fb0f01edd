import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';

/** Where a client sends to, and how often it tries again by itself. */
export interface ClientOptions {
  /** The address of the API: the base URL of every client is `{api}/v2/ai`. */
  readonly api: string;
  readonly credential: string;
  readonly maxRetries?: number;
  /** In the place of the network. */
  readonly fetch?: typeof fetch;
}

const baseOf = ({ api }: ClientOptions) => `${api}/v2/ai`;

export function openAiClient(options: ClientOptions): OpenAI {
  const { credential: apiKey, maxRetries = 0, fetch } = options;
  return new OpenAI({ apiKey, baseURL: baseOf(options), maxRetries, ...(fetch && { fetch }) });
}

/** A model of the AI SDK; how often it tries again is said with each call. */
export function aiSdkModel(options: ClientOptions) {
  const { credential: apiKey, fetch } = options;
  return createOpenAICompatible({ name: 'cubby', apiKey, baseURL: baseOf(options), ...(fetch && { fetch }) }).chatModel(
    'cubic',
  );
}

export function langChainModel(options: ClientOptions): ChatOpenAI {
  const { credential: apiKey, maxRetries = 0, fetch } = options;
  return new ChatOpenAI({
    model: 'cubic',
    apiKey,
    maxRetries,
    configuration: { baseURL: baseOf(options), ...(fetch && { fetch }) },
  });
}
