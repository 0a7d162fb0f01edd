import type { TestAnswer, TestServer } from './server.ts';

export const messagesPath = '/v2/ai/messages';

/** Sends a request in the form of the Messages API. */
export function sendMessage(server: TestServer, credential: string, body: object): Promise<TestAnswer> {
  return server.send(messagesPath, { method: 'POST', credential, body: JSON.stringify(body) });
}
