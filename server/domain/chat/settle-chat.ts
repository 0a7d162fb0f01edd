import type { Writes } from '../ports/metadata.ts';
import type { ChatAdmission } from './admit-chat.ts';
import type { ChatRoom } from './chat-room.ts';
import type { TokenUsage } from './conversation.ts';

export interface SettleDeps {
  readonly metadata: Writes<'chat'>;
  readonly room: ChatRoom;
}

/**
 * Charges what a request has used, over all of its rounds, and gives up what was held for it in the same instant, so
 * that others count it once; resolves when the charge would survive a power cut. The day is the one on which it was let
 * in. What cannot be charged is given up all the same.
 */
export async function settleChat(
  { metadata, room }: SettleDeps,
  { lease }: Pick<ChatAdmission, 'lease'>,
  usage: TokenUsage,
): Promise<void> {
  if (!room.holds(lease)) return;
  try {
    await metadata.atomically(async (tx) => {
      await tx.chat.charge(lease, usage);
      tx.afterCommit(() => room.free(lease));
    });
  } finally {
    room.free(lease);
  }
}

/**
 * Gives up what was held for a request that came to nothing: it costs nothing, and neither counts nor sets the pace.
 */
export function releaseChat({ room }: Pick<SettleDeps, 'room'>, { lease }: Pick<ChatAdmission, 'lease'>): void {
  room.free(lease);
}
