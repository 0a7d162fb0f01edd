import { dayMs } from '#server/domain/day.ts';
import type { AiConfig } from './ai.ts';

interface ChatJobSettings {
  /** How long requests to models are kept; 0: not at all. */
  readonly aiRequestsKeptMs: number;
}

declare module '#server/domain/jobs/job.ts' {
  interface JobSettings extends ChatJobSettings {}
}

/** Returns what the jobs of the AI gateway take from the configuration. */
export function chatJobSettings({ ai }: { readonly ai: AiConfig }): ChatJobSettings {
  return { aiRequestsKeptMs: ai.logDays * dayMs };
}
