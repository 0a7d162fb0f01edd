import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { SharedState } from '#server/stores/engine.ts';
import type { ChatReservations } from '../reservations/chat-reservations.ts';
import { MemoryChatReservations } from './memory/chat-reservations.ts';

/** Opens the leases of chats: in the database if several servers use it, and else in memory. */
export async function openChatReservations(
  shared: Pick<SharedState, 'database' | 'owner'> | undefined,
  metadata: Metadata<'chat' | 'events'>,
): Promise<ChatReservations> {
  if (!shared) return new MemoryChatReservations(metadata);
  const { PostgresChatReservations } = await import('./postgres/chat-reservations.ts');
  return new PostgresChatReservations(shared.database, shared.owner, metadata);
}
