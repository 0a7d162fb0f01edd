import type { OperatorHandlers } from '#generated/router.ts';
import { confirmClock } from '#server/domain/jobs/confirm-clock.ts';
import { runJob } from '#server/domain/jobs/run-job.ts';
import { installation } from '#server/domain/operator/installation.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { operatorOf, type Call } from '../call.ts';
import { accepted, success } from '../wire.ts';
import type { OperatorPorts } from './ports.ts';
import { installationView } from './views/installation.ts';
import { jobsView } from './views/jobs.ts';
import { replicasView } from './views/replicas.ts';

/** Returns the handlers of the server itself: its jobs, its configuration and its capacity. */
export function operatorServerHandlers(deps: OperatorPorts) {
  const { metadata, jobs, settings, version } = deps;
  return {
    async listJobs() {
      const [runs, jump] = await Promise.all([metadata.read.jobRuns.list(), metadata.read.clockJump.find()]);
      return success(jobsView({ jobs, runs, jump }));
    },

    async runJob({ path }, call) {
      const { job } = path;
      if (!Object.hasOwn(jobs, job)) throw new Refusal('JOB_NOT_FOUND');
      const count = await runJob(deps, { job, by: operatorOf(call) }, deps.requestedJobs);
      return count === undefined ? accepted({ job, count: null }) : success({ job, count });
    },

    async confirmClock(_input, call) {
      // This also records and confirms a jump that was not noticed yet.
      await deps.readClock();
      return success({ was_waiting: await confirmClock(deps, operatorOf(call)) });
    },

    async listReplicas() {
      return success(replicasView(await deps.replicas.list()));
    },

    async getConfiguration() {
      return success({ settings: settings() });
    },

    async getInstallation() {
      const { node: nodeVersion } = process.versions;
      return success(installationView(await installation(deps), { version, nodeVersion }));
    },
  } satisfies Partial<OperatorHandlers<Call>>;
}
