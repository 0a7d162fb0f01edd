import { policies } from '#generated/policies.ts';
import { finding, parsing } from '#server/http/operation.ts';
import type { DeploysHandlers } from '#generated/router.ts';
import type { DeployHook } from '../deploy-hook.ts';
import { createHook, findHook, revokeHook } from '../manage-hook.ts';
import { branchOfRef, findHookApp, queueHook } from '../queue-hook.ts';
import { maxCoalescedPushes } from '../limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { deploymentOf } from './deployments.ts';
import { repositoryOf } from './git/payload.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { done, success, timestamp, timestampOrNull } from '#server/handlers/wire.ts';

interface Deps extends CorePorts {
  /** Address of the general API, without a trailing slash. */
  readonly apiHost: string;
  readonly coalesces: boolean;
}

const windowMs = policies.startHookDeploy.rateLimits[0]!.windowSeconds * 1000;

/** Returns the handlers of deploy hooks. */
export function deployHooksHandlers({ apiHost, coalesces, ...deps }: Deps) {
  return {
    async getDeployHook({ path }, { caller }) {
      const hook = await findHook(deps, { accountId: caller.account.id, appId: path.app_id });
      return success({ ...hookOf(hook), used_at: timestampOrNull(hook.usedAt) });
    },

    createDeployHook: parsing(
      ({ path, body }) => ({
        appId: path.app_id,
        choice: {
          repository: repositoryIn(body.repository),
          branch: branchOfRef(body.branch ?? 'main'),
          host: body.host ?? 'github',
        },
      }),
      async ({ appId, choice }, { caller }) => {
        const { hook, code } = await createHook(deps, { accountId: caller.account.id, appId }, choice);
        return success({ url: `${apiHost}/v2/deploy/hook/${code}`, ...hookOf(hook) });
      },
    ),

    async revokeDeployHook({ path }, { caller }) {
      await revokeHook(deps, { accountId: caller.account.id, appId: path.app_id });
      return done;
    },

    startHookDeploy: finding(
      async ({ path }) => void (await findHookApp(deps, path.hook)),
      parsing(
        ({ path, body }) => ({
          code: path.hook,
          branch: body?.ref === undefined ? undefined : branchOfRef(body.ref),
          commit: body?.commit,
        }),
        async (command, { announceLimit }) => {
          const limit = coalesces ? maxCoalescedPushes : 1;
          const { deploy, left } = await queueHook(deps, { ...command, windowMs, coalesces }).catch(
            (error: unknown) => {
              if (error instanceof Refusal && error.code === 'KEEP_CALM')
                announceLimit({ remaining: 0, resetMs: error.retryAfterSeconds! * 1000, limit });
              throw error;
            },
          );
          announceLimit({ ...left, limit });
          return success(deploymentOf(deploy));
        },
      ),
    ),
  } satisfies Partial<DeploysHandlers<Call>>;
}

/** @throws INVALID_REPOSITORY for an address with parts that are not sent to a git host, as well */
function repositoryIn(text: string): string {
  const repository = repositoryOf(text);
  if (repository === null || repository !== URL.parse(text)?.href) throw new Refusal('INVALID_REPOSITORY');
  return repository;
}

function hookOf({ repository, branch, host, createdAt }: DeployHook) {
  return { repository, branch, host, created_at: timestamp(createdAt) };
}
