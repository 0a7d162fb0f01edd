import type { ReceiveGitPushReply } from '#generated/router.ts';
import type { Deploy } from '../../deploy.ts';
import type { FilteredChange } from '../../deploy-filters.ts';
import type { RefChange } from '../../push.ts';

/** Returns the reply to a push that is deployed. @param filtered the branches of it that are not */
export function queued(deploys: readonly Deploy[], filtered: readonly FilteredChange[]): ReceiveGitPushReply {
  return reply(200, [...deploys.map(queuedLine), ...filtered.map(filteredLine)].join('\n'));
}

/** Returns the reply to a push of which the filters take nothing. */
export function allFiltered(filtered: readonly FilteredChange[]): ReceiveGitPushReply {
  return nothing('GIT_PUSH_FILTERED', filtered.map(filteredLine).join('\n'));
}

function filteredLine({ change, reason }: FilteredChange): string {
  const what = reason === 'branch' ? 'it' : 'any file that the push changes';
  return `The branch ${change.branch} is not deployed: the filters of the application do not take ${what}.`;
}

function queuedLine({ id, branch, commit }: Deploy): string {
  return `Deploy ${id} of ${branch} at ${commit.slice(0, 7)} is queued.`;
}

/** Returns the reply to a change that deploys nothing. */
export function refusedChange(change: RefChange): ReceiveGitPushReply {
  if (change.kind === 'deleted-branch')
    return nothing('GIT_BRANCH_DELETED', `The push deletes the branch ${readable(change.branch)}.`);
  return nothing(
    'GIT_REF_NOT_SUPPORTED',
    `${readable(change.kind === 'other-ref' ? change.ref : change.branch)} is no branch.`,
  );
}

function nothing(code: string, text: string): ReceiveGitPushReply {
  return reply(202, `${code}: ${text} Nothing was deployed.`);
}

function reply(status: 200 | 202, body: string): ReceiveGitPushReply {
  return { status, body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

const maxRefCharacters = 200;

/** Returns a ref as the client sent it, for people to read. */
function readable(ref: string): string {
  return [...ref.toWellFormed()]
    .slice(0, maxRefCharacters)
    .join('')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '�');
}

/** The reply to a delivery that is not a push. */
export const ignored = nothing('GIT_EVENT_IGNORED', 'This event is no push.');
