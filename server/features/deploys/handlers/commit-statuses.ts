import { parsing } from '#server/http/operation.ts';
import type { DeploysHandlers } from '#generated/router.ts';
import type { CommitStatus } from '#generated/types.ts';
import type { StatusToken } from '../commit-status.ts';
import { findStatusToken, removeStatusToken, setStatusToken } from '../manage-status.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { done, success, timestampOrNull } from '#server/handlers/wire.ts';

export interface CommitStatusPorts extends CorePorts {
  /** Whether the server may send tokens to an origin. */
  readonly isAllowedOrigin: (origin: string) => boolean;
}

/** Returns the handlers of reports to git hosts. */
export function commitStatusesHandlers({ isAllowedOrigin, ...deps }: CommitStatusPorts) {
  return {
    async getCommitStatus({ path }, { caller }) {
      return success(statusOf(await findStatusToken(deps, { accountId: caller.account.id, appId: path.app_id })));
    },

    replaceCommitStatus: parsing(
      ({ path, body }) => ({
        appId: path.app_id,
        choice: {
          accessToken: body.access_token,
          origin: originIn(body.origin, isAllowedOrigin),
          host: body.host ?? 'github',
          context: body.context ?? 'cubby',
          targetUrl: body.target_url === undefined ? null : pageIn(body.target_url),
        },
      }),
      async ({ appId, choice }, { caller }) =>
        success(statusOf(await setStatusToken(deps, { accountId: caller.account.id, appId }, choice))),
    ),

    async deleteCommitStatus({ path }, { caller }) {
      await removeStatusToken(deps, { accountId: caller.account.id, appId: path.app_id });
      return done;
    },
  } satisfies Partial<DeploysHandlers<Call>>;
}

/** @throws INVALID_STATUS_ORIGIN */
function originIn(text: string, isAllowedOrigin: CommitStatusPorts['isAllowedOrigin']): string {
  if (!isAllowedOrigin(text)) throw new Refusal('INVALID_STATUS_ORIGIN');
  return text;
}

/** @throws INVALID_STATUS_URL */
function pageIn(text: string): string {
  const isPage = ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '') && !/[\u0000-\u0020\u007f]/.test(text);
  if (!isPage) throw new Refusal('INVALID_STATUS_URL');
  return text;
}

function statusOf({ origin, host, context, targetUrl, sentAt, error }: StatusToken): CommitStatus {
  return { origin, host, context, target_url: targetUrl, sent_at: timestampOrNull(sentAt), error };
}
