import type { Reads } from '#server/domain/ports/metadata.ts';
import type { UsageGroup, UsageQuery } from '../budgets/table.ts';

/** One page of the usage of past days. */
export interface ChatHistory {
  readonly groups: ReadonlyArray<UsageGroup & { readonly keyName: string | undefined }>;
  readonly hasMore: boolean;
}

/** Returns one page of the charges of an account, in the order of day, key and model, with the names of the keys. */
export async function chatHistory(
  { metadata }: { readonly metadata: Reads<'apiKeys' | 'chat'> },
  accountId: string,
  query: UsageQuery,
): Promise<ChatHistory> {
  const groups = await metadata.read.chat.usageOf(accountId, { ...query, limit: query.limit + 1 });
  const keys = query.groupBy.has('key') && groups.length > 0 ? await metadata.read.apiKeys.listOf(accountId) : [];
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return {
    groups: groups.slice(0, query.limit).map((group) => ({ ...group, keyName: names.get(group.keyId ?? '') })),
    hasMore: groups.length > query.limit,
  };
}
