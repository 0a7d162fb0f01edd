import type { Metadata } from '../ports/metadata.ts';

/**
 * Gives up whatever an earlier process held for requests that it never answered, and answers how many those were. Only for a
 * start, when no request is under way: one process alone owns the data.
 */
export function clearChatLeases({ metadata }: { readonly metadata: Pick<Metadata, 'atomically'> }): Promise<number> {
  return metadata.atomically((tx) => tx.chat.giveUpAll());
}
