import { isLive } from './api-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Account } from '../account/account.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'apiKeys'>;
  readonly clock: Clock;
}

/** Returns an account and how many of its keys are live; undefined when no account has this id. */
export async function showAccount(
  { metadata, clock }: Deps,
  accountId: string,
): Promise<{ readonly account: Account; readonly liveKeys: number } | undefined> {
  const account = await metadata.read.accounts.find(accountId);
  if (!account) return undefined;
  const keys = await metadata.read.apiKeys.listOf(accountId);
  return { account, liveKeys: keys.filter((key) => isLive(key, clock.now())).length };
}
