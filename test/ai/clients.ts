import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';

/** The server, the credential and the number of retries of a client. */
export interface ClientOptions {
  /** The address of the API: the base URL of every client is `{api}/v2/ai`. */
  readonly api: string;
  readonly credential: string;
  readonly maxRetries?: number;
  /** Replaces the network. */
  readonly fetch?: typeof fetch;
}

const baseOf = ({ api }: ClientOptions) => `${api}/v2/ai`;

export function openAiClient(options: ClientOptions): OpenAI {
  const { credential: apiKey, maxRetries = 0, fetch } = options;
  return new OpenAI({ apiKey, baseURL: baseOf(options), maxRetries, ...(fetch && { fetch }) });
}

/** Returns a model of the AI SDK. The number of retries is an option of each call. */
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
