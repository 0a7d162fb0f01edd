import type { AppsHandlers } from '#generated/router.ts';
import type { Deployment } from '#generated/types.ts';
import { currentDeployment, type DeploymentCache } from '#server/domain/deploys/current-deployment.ts';
import type { Deploy } from '#server/domain/deploys/deploy.ts';
import { listDeploys } from '#server/domain/deploys/list-deploys.ts';
import { removeWebhook } from '#server/domain/deploys/remove-webhook.ts';
import { setWebhook } from '#server/domain/deploys/set-webhook.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { timestamp } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly cache: DeploymentCache;
  /** The address of the general API, without a slash at its end. */
  readonly apiHost: string;
}

type ListQuery = Parameters<AppsHandlers<Call>['listDeployments']>[0]['query'];

/** The two names of the cursor do not go together. */
export const deploysFieldChecks: FieldChecks = {
  listDeployments({ query }: { readonly query: ListQuery }) {
    if (query.cursor !== undefined && query.continuationToken !== undefined)
      throw new Refusal('INVALID_CONTINUATION_TOKEN', {
        message: 'cursor and continuationToken are two names of one parameter. Send one of them.',
      });
  },
};

/** The access token that stands for none. */
const removing = '@';

/** Wire ⇄ domain for webhooks and deploys. */
export function deploysHandlers(
  deps: Deps,
): Pick<AppsHandlers<Call>, 'setGitWebhook' | 'getCurrentDeployment' | 'listDeployments'> {
  const webhookUrl = (code: string) => `${deps.apiHost}/v2/git/webhook/${code}`;
  return {
    async setGitWebhook({ path, body }, { caller }) {
      const app = { accountId: caller.account.id, appId: path.app_id };
      if (body.access_token === removing) {
        await removeWebhook(deps, app);
        return { status: 200, body: { status: 'success' } };
      }
      const code = await setWebhook(deps, { ...app, accessToken: body.access_token, secret: body.secret });
      return { status: 200, body: { status: 'success', response: { webhook: webhookUrl(code) } } };
    },

    async getCurrentDeployment({ path }, { caller }) {
      const { code, last } = await currentDeployment(deps, { accountId: caller.account.id, appId: path.app_id });
      return {
        status: 200,
        body: {
          status: 'success',
          response: { webhook: code === null ? null : webhookUrl(code), last: last && deploymentOf(last) },
        },
      };
    },

    async listDeployments({ path, query }, { caller }) {
      const { deploys, next } = await listDeploys(deps, {
        accountId: caller.account.id,
        appId: path.app_id,
        limit: query.limit ?? 20,
        cursor: query.cursor ?? query.continuationToken,
      });
      const response = {
        deployments: deploys.map(deploymentOf),
        ...(next !== undefined && { continuationToken: next }),
      };
      return { status: 200, body: { status: 'success', response } };
    },
  };
}

function deploymentOf({ id, state, branch, commit, message, createdAt, updatedAt }: Deploy): Deployment {
  return { id, state, branch, commit, message, created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
}
