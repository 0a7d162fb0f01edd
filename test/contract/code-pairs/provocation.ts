import { expect } from 'vitest';

import type { codesOfOperation } from '#generated/errors.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import { eventually } from '#test/support/eventually.ts';
import type { StoreFaults } from './store-faults.ts';

/** The servers for provocations. Each provocation makes its own accounts and files, so none disturbs another. */
export interface PairContext {
  /** The real server with limits off. Its stores fail when `faults` says so. */
  readonly server: TestServer;
  /** The reservations of that server for running requests of its AI gateway. */
  readonly chatReservations: ChatReservations;
  /** The real server with limits on. Its clock stands still. */
  readonly limited: TestServer;
  /** The real server with no model behind its AI gateway, and a million tokens a day for all accounts together. */
  readonly modelless: TestServer;
  /** The real server on a disk that has no room. Its AI gateway has prices, and rejects unknown names of models. */
  readonly full: TestServer;
  /** The bodies that server has in memory. */
  readonly bodies: BodyMemory;
  readonly faults: StoreFaults;
  /** Called before that server makes a variant of an image. */
  readonly renders: { before: () => Promise<void> };
}

/** Makes the real server answer one code. */
export type Provocation = (context: PairContext) => Promise<TestAnswer>;

/** A provocation for each code that an operation declares, if there is one. */
export type PairsOf<Operation extends keyof typeof codesOfOperation> = Partial<
  Record<(typeof codesOfOperation)[Operation][number], Provocation>
>;

/**
 * Sends one request more than an account without a plan may send in a minute. No limit allows fewer requests. Requests
 * that the plan does not include count too.
 */
export function tooOften(ask: (server: TestServer, account: TestAccount) => Promise<TestAnswer>): Provocation {
  return async ({ limited }) => {
    const account = await limited.account('none');
    for (let request = 0; request < 5; request++) await ask(limited, account);
    return ask(limited, account);
  };
}

/**
 * Opens one stream of events more than an account may have open. Returns when the server has noticed that the others
 * are closed, because an open stream reads the store, which the next provocation may break.
 */
export async function tooManyStreams(server: TestServer, path: string, credential: string): Promise<TestAnswer> {
  const accept = 'text/event-stream';
  const stop = new AbortController();
  const address = new URL(path, server.running.urls.api);
  const opened: Response[] = [];
  for (let at = 0; at < 10; at++)
    opened.push(await fetch(address, { headers: { authorization: credential, accept }, signal: stop.signal }));
  const answer = await server.send(path, { credential, headers: { accept } });
  stop.abort();
  const ids = new Set(opened.map(({ headers }) => headers.get('x-request-id')));
  const ended = () =>
    server.log.filter(({ message, request_id: id }) => message === 'request' && ids.has(id as string));
  await eventually(() => expect(ended()).toHaveLength(opened.length));
  return answer;
}
