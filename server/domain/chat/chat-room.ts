import type { ChatLease } from './chat-lease.ts';
import type { ChatCeilings, ChatNo, ChatWish } from './chat-refusal.ts';
import type { TokenUsage } from './conversation.ts';

/**
 * Room for requests under way. What is charged and what is held are looked at in one step, so that parallel requests
 * never pass a limit together.
 */
export interface ChatRoom {
  /**
   * Holds room for a request, in place of what is held under the same id.
   *
   * @param now in milliseconds since the epoch
   * @returns the lease, with as much output as fits; or why there is no room, and then nothing changes
   */
  hold(wish: ChatWish, ceilings: ChatCeilings, now: number): Promise<ChatLease | ChatNo>;
  /**
   * Charges what a request has used over all of its rounds, to the day on which it began. Frees its room in the same
   * instant, so that others count it once. Resolves when the charge would survive a power cut. The room is freed also
   * when charging fails. An expired lease is charged too. A lease that was settled or released before is not.
   */
  settle(lease: ChatLease, usage: TokenUsage): Promise<void>;
  /** Frees the room of a request that came to nothing: it costs nothing and does not count. May be called twice. */
  release(lease: ChatLease): Promise<void>;
}
