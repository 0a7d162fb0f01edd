import { policies } from '#generated/policies.ts';
import type { AppsHandlers, ReceiveGitPushReply } from '#generated/router.ts';
import type { Deploy } from '#server/domain/deploys/deploy.ts';
import { findWebhook } from '#server/domain/deploys/find-webhook.ts';
import type { RefChange } from '#server/domain/deploys/push.ts';
import { queuePush } from '#server/domain/deploys/queue-push.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '../call.ts';
import { readDelivery } from './read-delivery.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
}

const windowMs = policies.receiveGitPush.rateLimits.find(({ per }) => per === 'webhook')!.windowSeconds * 1000;

/** Wire ⇄ domain for pushes that repository hosts deliver. */
export function gitPushHandlers(deps: Deps): Pick<AppsHandlers<Call>, 'receiveGitPush'> {
  return {
    async receiveGitPush({ path }, { raw, announceLimit }) {
      const webhook = await findWebhook(deps, path.webhook);
      const { push, ...delivery } = await readDelivery(raw, webhook.secret, deps.clock.now());
      if (!push) return nothing('GIT_EVENT_IGNORED', 'This event is no push.');
      const branches = push.changes.filter((change) => change.kind === 'branch');
      if (branches.length === 0) return refusedChange(push.changes[0]!);
      const { deploys, isNew } = await queuePush(deps, { webhook, push, branches, delivery, windowMs }).catch(
        (error: unknown) => {
          if (error instanceof Refusal && error.code === 'KEEP_CALM')
            announceLimit({ remaining: 0, resetMs: error.retryAfterSeconds! * 1000 });
          throw error;
        },
      );
      if (isNew) announceLimit({ remaining: 0, resetMs: windowMs });
      return reply(200, deploys.map(queuedLine).join('\n'));
    },
  };
}

function queuedLine({ id, branch, commit }: Deploy): string {
  return `Deploy ${id} of ${branch} at ${commit.slice(0, 7)} is queued.`;
}

function refusedChange(change: RefChange): ReceiveGitPushReply {
  if (change.kind === 'deleted-branch')
    return nothing('GIT_BRANCH_DELETED', `The push deletes the branch ${readable(change.branch)}.`);
  return nothing(
    'GIT_REF_NOT_SUPPORTED',
    `${readable(change.kind === 'other-ref' ? change.ref : change.branch)} is no branch.`,
  );
}

function nothing(code: string, words: string): ReceiveGitPushReply {
  return reply(202, `${code}: ${words} Nothing was deployed.`);
}

function reply(status: 200 | 202, body: string): ReceiveGitPushReply {
  return { status, body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

const maxRefCharacters = 200;

/** A ref as the client sent it, for people to read. */
function readable(ref: string): string {
  return [...ref.toWellFormed()]
    .slice(0, maxRefCharacters)
    .join('')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '�');
}
