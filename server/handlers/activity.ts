import type { AccountHandlers } from '#generated/router.ts';
import type { Activity } from '#generated/types.ts';
import type { ActivityEntry } from '#server/domain/activity/activity.ts';
import { listActivity } from '#server/domain/activity/list-activity.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { timestamp } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

type ListQuery = Parameters<AccountHandlers<Call>['listActivity']>[0]['query'];

/** The two names of the cursor do not go together. */
export const activityFieldChecks: FieldChecks = {
  listActivity({ query }: { readonly query: ListQuery }) {
    if (query.cursor !== undefined && query.continuationToken !== undefined)
      throw new Refusal('INVALID_CONTINUATION_TOKEN', {
        message: 'cursor and continuationToken are two names of one parameter. Send one of them.',
      });
  },
};

/** Wire ⇄ domain for what happened in an account. */
export function activityHandlers(deps: Deps): Pick<AccountHandlers<Call>, 'listActivity'> {
  return {
    async listActivity({ query }, { caller }) {
      const { entries, next } = await listActivity(deps, {
        accountId: caller.account.id,
        prefixes: caller.key.prefixes,
        limit: query.limit ?? 100,
        cursor: query.cursor ?? query.continuationToken,
      });
      const response = { activity: entries.map(entryOf), ...(next !== undefined && { continuationToken: next }) };
      return { status: 200, body: { status: 'success', response } };
    },
  };
}

function entryOf({ sequence, type, at, object, details, actor }: ActivityEntry): Activity {
  return {
    id: `act_${sequence}`,
    type,
    at: timestamp(at),
    ...(object && { object: formatObjectId(object) }),
    details: { ...details },
    source_ip: actor.sourceIp,
    user_agent: actor.userAgent,
    auth: actor.auth,
  };
}
