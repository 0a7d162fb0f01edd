import { parsing } from '#server/http/operation.ts';
import type { DeploysHandlers } from '#generated/router.ts';
import type { Deployment } from '#generated/types.ts';
import { cancelDeploy } from '../cancel-deploy.ts';
import { currentDeployment, type DeploymentCache } from '../current-deployment.ts';
import type { DeployLogs } from '../deploy-logs.ts';
import type { Deploy } from '../deploy.ts';
import { followDeployLog, type LogStep } from '../follow-deploy-log.ts';
import { listDeploys } from '../list-deploys.ts';
import { readDeployLog } from '../read-deploy-log.ts';
import { redeploy } from '../redeploy.ts';
import type { Call } from '#server/handlers/call.ts';
import { OpenStreams } from '#server/handlers/open-streams.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { continuation, cursorOf, success, timestamp } from '#server/handlers/wire.ts';

export interface DeploymentPorts extends CorePorts {
  readonly deployments: DeploymentCache;
  readonly logs: DeployLogs;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Returns the handlers of deploys, from the history to the output of one. @param webhookUrl the address of a code */
export function deploymentsHandlers({ deployments, ...deps }: DeploymentPorts, webhookUrl: (code: string) => string) {
  const streams = new OpenStreams(deps);
  const named = ({ path }: { readonly path: { readonly app_id: string; readonly id: string } }, { caller }: Call) => ({
    accountId: caller.account.id,
    appId: path.app_id,
    deployId: path.id,
  });
  return {
    async getCurrentDeployment({ path }, { caller }) {
      const app = { accountId: caller.account.id, appId: path.app_id };
      const { code, hasHook, hasStatus, last } = await currentDeployment({ ...deps, cache: deployments }, app);
      return success({
        webhook: code === null ? null : webhookUrl(code),
        deploy_hook: hasHook,
        commit_status: hasStatus,
        last: last && deploymentOf(last),
      });
    },

    listDeployments: parsing(
      ({ path, query }) => ({ appId: path.app_id, limit: query.limit ?? 20, cursor: cursorOf(query) }),
      async (page, { caller }) => {
        const { rows: deploys, next } = await listDeploys(deps, { ...page, accountId: caller.account.id });
        return success({ deployments: deploys.map(deploymentOf), ...continuation(next) });
      },
    ),

    runDeployment: async (input, call) => success(deploymentOf(await redeploy(deps, named(input, call)))),
    abortDeployment: async (input, call) => success(deploymentOf(await cancelDeploy(deps, named(input, call)))),

    async getDeploymentLogs(input, call) {
      const { limit = 200, cursor } = input.query;
      const command = { ...named(input, call), limit, cursor };
      if (call.eventStream.isRequested) {
        // A client that connects again sends the same query, and says here how far it has read.
        const from = { ...command, cursor: call.eventStream.lastEventId || cursor };
        const body = await streams.open(call.caller, call.signal, async (terms) =>
          written(await followDeployLog(deps, { ...from, ...terms })),
        );
        return { status: 200 as const, body };
      }
      const page = await readDeployLog(deps, command);
      return success({ lines: page.lines.map(({ text }) => text), cursor: page.cursor, complete: page.isComplete });
    },
  } satisfies Partial<DeploysHandlers<Call>>;
}

async function* written(steps: AsyncGenerator<LogStep>): AsyncGenerator<string> {
  yield ': output of the deploy\nretry: 2000\n\n';
  for await (const step of steps) yield textOf(step);
}

function textOf(step: LogStep): string {
  if ('keepAlive' in step) return ': keep-alive\n\n';
  // JSON has no line breaks, whatever the output has.
  if ('line' in step) return `id: ${step.line.cursor}\ndata: ${JSON.stringify({ line: step.line.text })}\n\n`;
  return `event: end\nid: ${step.cursor}\ndata: ${JSON.stringify({ state: step.ended.state })}\n\n`;
}

/** Returns a deploy as clients see it. */
export function deploymentOf(deploy: Deploy): Deployment {
  const { id, state, branch, commit, message, cancelRequestedAt, createdAt, updatedAt } = deploy;
  return {
    id,
    state,
    branch,
    commit,
    message,
    cancel_requested: cancelRequestedAt !== null,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}
