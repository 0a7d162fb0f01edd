/** @see openapi/schemas/deploys/DeploymentState.yaml */
export type DeployState = 'pending' | 'running' | 'success' | 'error' | 'superseded' | 'cancelled';

/** The events of a deploy. */
export type DeployEvent = 'taken' | 'succeeded' | 'failed' | 'given back' | 'overtaken' | 'cancelled';

/** The git hosts whose pushes are supported. */
export type GitHost = 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud' | 'bitbucket-data-center';

/** The deploy of one commit of one branch. */
export interface Deploy {
  /** `dep_` and 16 letters and digits. */
  readonly id: string;
  /** Grows over all deploys: a newer deploy has a higher sequence. */
  readonly sequence: number;
  readonly appId: string;
  readonly state: DeployState;
  readonly branch: string;
  /** Lowercase hex, of SHA-1 or SHA-256. */
  readonly commit: string;
  /** The first line of the commit's message; null while it is unknown. */
  readonly message: string | null;
  /** The address to clone from; null when the push named none. */
  readonly repository: string | null;
  readonly host: GitHost;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How often a run was begun. */
  readonly tries: number;
  /** No run begins before this instant. */
  readonly dueAt: number;
  /** The lease of its runner; null unless it is running. */
  readonly lease: DeployLease | null;
  /** When somebody requested to cancel its run; null if nobody did. */
  readonly cancelRequestedAt: number | null;
}

/** The right to run a deploy. It ends at `until` unless it is renewed. */
export interface DeployLease {
  readonly id: string;
  readonly until: number;
}

/** The state after each event. An event that a state does not list cannot happen in it. */
export const transitions: Readonly<Record<DeployState, { readonly [event in DeployEvent]?: DeployState }>> = {
  pending: { taken: 'running', overtaken: 'superseded', cancelled: 'cancelled' },
  running: {
    succeeded: 'success',
    failed: 'error',
    'given back': 'pending',
    overtaken: 'superseded',
    cancelled: 'cancelled',
  },
  success: {},
  error: {},
  superseded: {},
  cancelled: {},
};

/** Returns the deploy after an event. Throws a fault when the event cannot happen in its state. */
export function afterEvent(
  deploy: Deploy,
  event: DeployEvent,
  change: Partial<Pick<Deploy, 'tries' | 'dueAt' | 'lease' | 'message'>>,
  at: number,
): Deploy {
  const state = transitions[deploy.state][event];
  if (!state) throw new Error(`A deploy that is ${deploy.state} cannot be ${event}.`);
  return { ...deploy, lease: null, ...change, state, updatedAt: at };
}
