import { onTestFinished } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { startSearxng, type Searxng } from '#mocks/searxng.ts';
import { startTestServer, type TestAnswer, type TestServer, type TestServerOptions } from './server.ts';

export const completionsPath = '/v2/ai/chat/completions';

/** A server with a model upstream and a search engine. All are closed when the test ends. */
export interface ChatSetup {
  readonly server: TestServer;
  readonly upstream: ChatUpstream;
  readonly searxng: Searxng;
}

/** Starts a server with an upstream that the test controls. With `search` it also has a search engine. */
export async function startChatServer({
  search = false,
  ...options
}: TestServerOptions & { readonly search?: boolean } = {}): Promise<ChatSetup> {
  const [upstream, searxng] = await Promise.all([startChatUpstream(), startSearxng()]);
  onTestFinished(async () => void (await Promise.all([upstream.close(), searxng.close()])));
  const env = { CUBBY_AI_UPSTREAM_URL: upstream.url, ...(search && { CUBBY_SEARCH_URL: searxng.url }), ...options.env };
  return { server: await startTestServer({ ...options, env }), upstream, searxng };
}

/** Sends a request to the gateway. `body` is the whole body, or the text of one user message. */
export function ask(
  server: TestServer,
  credential: string,
  body: object | string,
  signal?: AbortSignal,
): Promise<TestAnswer> {
  const request = typeof body === 'string' ? { messages: [{ role: 'user', content: body }] } : body;
  return server.send(completionsPath, {
    method: 'POST',
    credential,
    body: JSON.stringify(request),
    ...(signal && { signal }),
  });
}

/** Returns the account's usage of today, as the API reports it. */
export async function spentToday(
  server: TestServer,
  credential: string,
): Promise<{ requests: number; tokens: number; spend: number }> {
  const { requests, tokens, spend } = (await server.send('/v2/ai/usage', { credential })).json();
  return { requests: requests.today.used, tokens: tokens.today.used, spend: spend.today.used };
}

/**
 * Polls until the condition is true.
 *
 * @throws after 30 seconds: a server that has just started is slow on a busy machine
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const endAt = performance.now() + 30_000; !(await holds());) {
    if (performance.now() > endAt) throw new Error('It does not come to hold within 30 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A stream as a client received it. */
export interface ReceivedStream {
  readonly status: number;
  readonly headers: Headers;
  /** The data of each event. `[DONE]` is a text, others are parsed. */
  readonly events: readonly any[];
  readonly comments: readonly string[];
  /** The texts of all chunks together. */
  readonly text: string;
}

/** Sends a request for a stream, and reads it to its end. */
export async function askForStream(
  server: TestServer,
  credential: string,
  body: object | string,
  signal?: AbortSignal,
): Promise<ReceivedStream> {
  const request = typeof body === 'string' ? { messages: [{ role: 'user', content: body }] } : body;
  const answer = await ask(server, credential, { stream: true, ...request }, signal);
  const blocks = answer.body.toString().split('\n\n');
  const events = blocks
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice(6))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as any)));
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    comments: blocks.filter((block) => block.startsWith(':')),
    text: events.map((event) => event.choices?.[0]?.delta?.content ?? '').join(''),
  };
}
