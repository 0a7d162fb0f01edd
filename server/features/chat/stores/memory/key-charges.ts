import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import { startOfMinute } from '../../budgets/periods.ts';
import type { ChatCharge, ChatChargedTo, KeyCharged } from '../../budgets/table.ts';
import { added } from './chat-charges.ts';

/** The charges of a key on the day, and in the latest minute. */
interface Known extends KeyCharged {
  readonly day: number;
  readonly minute: number;
}

/** An entry takes some 300 bytes. */
const maxKeys = 10_000;

/**
 * A copy of the charges of keys with limits, for the same reason as that of accounts.
 *
 * @see server/features/chat/stores/memory/chat-charges.ts
 */
export class KeyCharges {
  readonly #known = new LRUCache<string, Known>(atMost(maxKeys));

  /** Returns the charges as `ChatReader.chargedToKey` does, or undefined if they have to be read. */
  find({ keyId, day }: Pick<ChatChargedTo, 'keyId' | 'day'>, minute: number): KeyCharged | undefined {
    const known = this.#known.get(keyId);
    if (known?.day !== day || minute < known.minute) return undefined;
    return { today: known.today, inMinute: minute === known.minute ? known.inMinute : 0 };
  }

  /** Keeps charges that were just read. */
  keep({ keyId, day }: Pick<ChatChargedTo, 'keyId' | 'day'>, minute: number, charged: KeyCharged): void {
    this.#known.set(keyId, { ...charged, day, minute });
  }

  /** Adds a charge. Call it in the same turn as its commit. */
  add({ keyId, day, startedAt }: ChatChargedTo, charge: ChatCharge): void {
    const known = this.#known.get(keyId);
    if (!known) return;
    if (known.day !== day) return void this.#known.delete(keyId);
    const { today } = known;
    const minute = startOfMinute(startedAt);
    const inMinute = minute > known.minute ? 1 : minute === known.minute ? known.inMinute + 1 : known.inMinute;
    this.#known.set(keyId, {
      day,
      minute: Math.max(minute, known.minute),
      inMinute,
      today: added(today, charge),
    });
  }
}
