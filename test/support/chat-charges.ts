import type { UpstreamStream } from '#mocks/chat-upstream.ts';
import { chunkOf } from '#mocks/chat-upstream-answers.ts';
import { startChatServer, type ChatSetup } from './chat.ts';

/** What is asked in the tests of charges. */
export const words =
  'Cubby keeps its files in a folder and everything else in one SQLite database beside them. '.repeat(20);

/** What the model answers there. */
export const said = 'An ETag names one version of a file, and nothing else of it.';

export const saidPieces: readonly string[] = said.split(/(?<= )/).map((content) => chunkOf({ content }));

/** Returns a stream of `said` that has no proper end. */
export function broken(atEnd: NonNullable<UpstreamStream['atEnd']>, ...more: readonly string[]): UpstreamStream {
  return { pieces: [...saidPieces, ...more], pauseMs: 1, atEnd };
}

/** What an account has spent, as `spentToday()` returns it. */
export const nothing = { requests: 0, tokens: 0, spend: 0 };

/** Returns what one request with these tokens costs. */
export function charged(input: number, output: number) {
  return { requests: 1, tokens: input + output, spend: input + 4 * output };
}

/** Starts a server with an upstream, and an account that may use it. */
export async function startWithAccount(
  options: Parameters<typeof startChatServer>[0],
  plan: 'standard' | 'enterprise' = 'enterprise',
): Promise<ChatSetup & { readonly credential: string }> {
  const setup = await startChatServer(options);
  const { credential } = await setup.server.account(plan);
  return { ...setup, credential };
}
