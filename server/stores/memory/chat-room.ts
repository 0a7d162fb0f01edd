import {
  chatRefusal,
  grantedOutputTokens,
  type ChatCeilings,
  type ChatNo,
  type ChatStanding,
  type ChatWish,
} from '#server/domain/chat/chat-refusal.ts';
import type { ChatLease } from '#server/domain/chat/chat-lease.ts';
import type { ChatRoom } from '#server/domain/chat/chat-room.ts';
import type { TokenUsage } from '#server/domain/chat/conversation.ts';
import { endOfWeek, startOfWeek } from '#server/domain/chat/periods.ts';
import { tokensOf } from '#server/domain/chat/chat-quota.ts';
import type { ChatTally } from '#server/domain/chat/table.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';

/** Leases in the memory of one process, beside the charges in its metadata. They end with the process. */
export class MemoryChatRoom implements ChatRoom {
  readonly #metadata: Metadata<'chat'>;
  readonly #leases = new Map<string, ChatLease>();
  #freed = 0;

  constructor(metadata: Metadata<'chat'>) {
    this.#metadata = metadata;
  }

  /** Returns the leases that are held now, expired or not. */
  leases(): ChatLease[] {
    return [...this.#leases.values()];
  }

  async hold(wish: ChatWish, ceilings: ChatCeilings, now: number): Promise<ChatLease | ChatNo> {
    const { lease } = wish;
    const { chat } = this.#metadata.read;
    for (;;) {
      const freed = this.#freed;
      const charged = await chat.chargedTo(lease.accountId, lease.day);
      const usedToday = ceilings.capacity.dailyTokens === null ? 0 : await chat.tokensOn(lease.day);
      // A request that has ended since may have been charged after the charges were read.
      if (this.#freed !== freed) continue;
      // Nothing is awaited from here to the hold, so no other request runs in between.
      const others = this.leases().filter(({ id, expiresAt }) => id !== lease.id && expiresAt > now);
      const ofAccount = others.filter(({ accountId }) => accountId === lease.accountId);
      const standing: ChatStanding = {
        running: ofAccount.length,
        lastStartedAt: latest(charged.lastStartedAt, ofAccount),
        used: charged,
        held: {
          today: tallyOf(ofAccount.filter(({ day }) => day === lease.day)),
          week: tallyOf(ofAccount.filter(({ day }) => day >= startOfWeek(lease.day) && day < endOfWeek(lease.day))),
        },
        installation: {
          running: others.length,
          usedToday,
          heldToday: tokensOf(tallyOf(others.filter(({ day }) => day === lease.day))),
        },
      };
      const no = chatRefusal(standing, wish, ceilings, now);
      if (no) return no;
      const fitting = { ...lease, outputTokens: grantedOutputTokens(standing, wish, ceilings) };
      this.#leases.set(lease.id, fitting);
      return fitting;
    }
  }

  async settle(lease: ChatLease, usage: TokenUsage): Promise<void> {
    if (!this.#leases.has(lease.id)) return;
    try {
      await this.#metadata.atomically(async (tx) => {
        await tx.chat.charge(lease, usage);
        tx.afterCommit(() => this.#free(lease));
      });
    } finally {
      this.#free(lease);
    }
  }

  async release(lease: ChatLease): Promise<void> {
    this.#free(lease);
  }

  #free({ id }: ChatLease): void {
    if (this.#leases.delete(id)) this.#freed++;
  }
}

function latest(startedAt: number | null, leases: readonly ChatLease[]): number | null {
  return leases.reduce<number | null>(
    (last, lease) => (last === null ? lease.startedAt : Math.max(last, lease.startedAt)),
    startedAt,
  );
}

function tallyOf(leases: readonly ChatLease[]): ChatTally {
  const tally = { requests: leases.length, inputTokens: 0, outputTokens: 0 };
  for (const { inputTokens, outputTokens } of leases) {
    tally.inputTokens += inputTokens;
    tally.outputTokens += outputTokens;
  }
  return tally;
}
