/** @see openapi/schemas/DeploymentState.yaml */
export type DeployState = 'pending' | 'running' | 'success' | 'error' | 'superseded';

/** What can happen to a deploy. */
export type DeployEvent = 'taken' | 'succeeded' | 'failed' | 'given back' | 'overtaken';

/** The hosts whose pushes are understood. */
export type GitHost = 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud' | 'bitbucket-data-center';

/** One commit of one branch that is to be deployed, was, or was not. */
export interface Deploy {
  /** `dep_` and 16 letters and digits. */
  readonly id: string;
  /** Counts up over all deploys: a newer one has a higher one. */
  readonly sequence: number;
  readonly appId: string;
  readonly state: DeployState;
  readonly branch: string;
  /** Lowercase hex, of SHA-1 or SHA-256. */
  readonly commit: string;
  /** The first line of the commit's message; null while it is not known. */
  readonly message: string | null;
  /** The address to clone from; null when the push named none. */
  readonly repository: string | null;
  readonly host: GitHost;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How often it was begun. */
  readonly tries: number;
  /** It is not begun before. */
  readonly dueAt: number;
  /** Who runs it; null unless it is running. */
  readonly lease: DeployLease | null;
}

/** The right to run a deploy, until an instant unless it is renewed. */
export interface DeployLease {
  readonly id: string;
  readonly until: number;
}

/** Where each event leads from each state; where a state has no such event, it cannot happen. */
export const transitions: Readonly<Record<DeployState, { readonly [event in DeployEvent]?: DeployState }>> = {
  pending: { taken: 'running', overtaken: 'superseded' },
  running: { succeeded: 'success', failed: 'error', 'given back': 'pending', overtaken: 'superseded' },
  success: {},
  error: {},
  superseded: {},
};

/** The deploy after an event. An event that its state does not have is a fault of ours. */
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
