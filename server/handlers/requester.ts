import type { Reach, Requester } from '#server/domain/access/requester.ts';
import { actorOf, type Call } from './call.ts';

/** Returns what the key of a request sees. */
export function reachOf({ caller: { account, key } }: Pick<Call, 'caller'>): Reach {
  return { accountId: account.id, prefixes: key.prefixes };
}

/** Returns who changes something by a request. */
export function requesterOf(call: Pick<Call, 'caller' | 'client'>): Requester {
  const { account, key } = call.caller;
  return { ...reachOf(call), account, keyId: key.id, actor: actorOf(call) };
}
