import { withCauses } from './causes.ts';
import { noUseExitCode } from './check-node.js';
import { ConfigProblems } from './config/config.ts';
import { NeedsChange } from './needs-change.ts';

/** What a server that could not start leaves to its operator and to the service manager. */
export interface StartFailure {
  readonly text: string;
  /** 78 if another start fails too, so that a service manager starts no other one; otherwise 1. */
  readonly exitCode: number;
}

/** Explains the error that kept a server from starting. */
export function startFailure(error: unknown): StartFailure {
  const exitCode = error instanceof NeedsChange ? noUseExitCode : 1;
  return { text: error instanceof ConfigProblems ? error.message : withCauses(error), exitCode };
}
