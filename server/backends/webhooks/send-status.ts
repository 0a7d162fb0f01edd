import type { StatusSender } from '#server/domain/deploys/send-status.ts';
import { checkedPost, type SenderOptions } from './checked-post.ts';

/** Sends reports of deploys to git hosts, to addresses that are checked within the connection. */
export function statusSender(options: SenderOptions): StatusSender {
  const { post } = checkedPost(options);
  return {
    post: (request) => post({ ...request, redirectAdvice: 'Set the token again, with the origin where it leads.' }),
  };
}
