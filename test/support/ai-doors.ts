import type { TestAnswer, TestServer } from './server.ts';

/** A way to ask a model, or to count what it would get. */
export interface AiDoor {
  readonly path: string;
  /** Returns a request of one user message: a text, and then these files. */
  body(text: string, fileIds: readonly string[]): object;
  /** Whether the response has only the number of tokens. */
  readonly onlyCounts?: true;
}

const chat = (text: string, ids: readonly string[]) => {
  const parts = ids.map((id) => ({ type: 'file', file: { file_id: id } }));
  return { messages: [{ role: 'user', content: [{ type: 'text', text }, ...parts] }] };
};
const responses = (text: string, ids: readonly string[]) => {
  const parts = ids.map((id) => ({ type: 'input_file', file_id: id }));
  return { input: [{ role: 'user', content: [{ type: 'input_text', text }, ...parts] }] };
};
const messages = (text: string, ids: readonly string[]) => {
  const blocks = ids.map((id) => ({ type: 'document', source: { type: 'file', file_id: id } }));
  return { max_tokens: 100, messages: [{ role: 'user', content: [{ type: 'text', text }, ...blocks] }] };
};

const streamed = (door: AiDoor): AiDoor => ({
  ...door,
  body: (text, ids) => ({ ...door.body(text, ids), stream: true }),
});

const chats: AiDoor = { path: '/v2/ai/chat/completions', body: chat };
const openResponses: AiDoor = { path: '/v2/ai/responses', body: responses };
const messagesApi: AiDoor = { path: '/v2/ai/messages', body: messages };

/** Every door that takes a conversation, by its name. */
export const aiDoors: Readonly<Record<string, AiDoor>> = {
  chats,
  'chats as a stream': streamed(chats),
  'Open Responses': openResponses,
  'Open Responses as a stream': streamed(openResponses),
  'the Messages API': messagesApi,
  'the Messages API as a stream': streamed(messagesApi),
  'a count of tokens': { path: '/v2/ai/messages/count_tokens', body: messages, onlyCounts: true },
};

/** Sends a request to a door. */
export function sendTo(
  server: TestServer,
  { path }: Pick<AiDoor, 'path'>,
  credential: string,
  body: object,
  signal?: AbortSignal,
): Promise<TestAnswer> {
  return server.send(path, { method: 'POST', credential, body: JSON.stringify(body), ...(signal && { signal }) });
}
