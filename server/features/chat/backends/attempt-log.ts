import type { Log } from '#server/log.ts';
import type { AttemptReport } from './upstream-chain.ts';

/** Outcomes that only concern the caller. */
const callersOutcomes: ReadonlySet<AttemptReport['outcome']> = new Set([
  'answered',
  'refused',
  'tools-not-supported',
  'context-too-long',
  'given-up',
]);

/** What the operator looks at when a server rejects Cubby's requests. */
interface Settings {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** The settings of servers that variables name. */
export const variables: Settings = {
  url: 'CUBBY_AI_UPSTREAM_URL',
  key: 'CUBBY_AI_UPSTREAM_KEY',
  model: 'CUBBY_AI_UPSTREAM_MODEL',
};

/** The settings of servers that a file of models names. */
export const fieldsOfFile: Settings = {
  url: 'its url in CUBBY_AI_MODELS_FILE',
  key: 'its key_env or key_file in CUBBY_AI_MODELS_FILE',
  model: 'its model in CUBBY_AI_MODELS_FILE',
};

/** Logs an attempt at a server. Attempts that only concern the caller are for those who look for a mistake. */
export function logAttempt(log: Log, { outcome, opensBreaker, ...report }: AttemptReport, settings: Settings): void {
  const fields = { ...report, outcome };
  if (outcome === 'misconfigured')
    log.error(fields, `the upstream of the AI gateway rejected the request: ${advice(report.status, settings)}`);
  else if (callersOutcomes.has(outcome)) log.debug(fields, 'an upstream of the AI gateway was sent a request');
  else log.warn(fields, 'an upstream of the AI gateway did not answer');
  if (opensBreaker)
    log.warn({ upstream: report.upstream }, 'an upstream of the AI gateway keeps failing: it gets no requests for now');
}

function advice(status: number | undefined, { url, key, model }: Settings): string {
  if (status === 401 || status === 403) return `check ${key}`;
  if (status === 404) return `check ${model}, and whether ${url} ends in /v1`;
  if (status !== undefined && status >= 300 && status < 400)
    return `it redirects, which is not followed; set ${url} to the redirect target`;
  return `check its account and ${url}`;
}
