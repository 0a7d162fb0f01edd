import type { codesOfOperation } from '#generated/errors.ts';
import type { ChatRoom } from '#server/domain/chat/chat-room.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { StoreFaults } from './store-faults.ts';

/** What a provocation has at hand. Each makes accounts and files of its own, so none disturbs another. */
export interface PairContext {
  /** The real server with limits off; its stores fail when `faults` says so. */
  readonly server: TestServer;
  /** What that server holds for requests under way in its AI gateway. */
  readonly chatRoom: ChatRoom;
  /** The real server with limits on, its clock standing still. */
  readonly limited: TestServer;
  /** The real server with no model behind its AI gateway, and a million tokens a day for all accounts together. */
  readonly modelless: TestServer;
  /** The real server on a disk that has no room. */
  readonly full: TestServer;
  readonly faults: StoreFaults;
}

/** Brings the real server to answer one code. */
export type Provocation = (context: PairContext) => Promise<TestAnswer>;

/** A provocation for each code that an operation declares, as far as there is one. */
export type PairsOf<Operation extends keyof typeof codesOfOperation> = Partial<
  Record<(typeof codesOfOperation)[Operation][number], Provocation>
>;

/**
 * Asks once more than an account without a plan may in a minute, whatever it asks: no limit takes fewer requests. What
 * the plan does not include is counted all the same.
 */
export function tooOften(ask: (server: TestServer, account: TestAccount) => Promise<TestAnswer>): Provocation {
  return async ({ limited }) => {
    const account = await limited.account('none');
    for (let request = 0; request < 5; request++) await ask(limited, account);
    return ask(limited, account);
  };
}
