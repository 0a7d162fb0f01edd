import type { StatusSender } from '../send-status.ts';
import type { TokenTargets } from './token-targets.ts';
import { checkedPost } from '#server/backends/outbound/checked-post.ts';

const refusedMessage =
  'The host has a private address, or the origin has no https. The operator can allow private ' +
  'hosts, and http to these ' +
  '(CUBBY_WEBHOOK_ALLOW_PRIVATE).';

/** Sends reports of deploys to git hosts, to addresses that are checked within the connection. */
export function statusSender({ isAllowedAddress }: Pick<TokenTargets, 'isAllowedAddress'>): StatusSender {
  const { post } = checkedPost({ isAllowed: isAllowedAddress, refusedMessage });
  return {
    post: (request) => post({ ...request, redirectAdvice: 'Set the token again, with the origin where it leads.' }),
  };
}
