import type { Config } from '#server/config/config.ts';
import type { JobSettings } from '#server/domain/jobs/job.ts';
import { jobSettings } from '#server/feature-parts.ts';

declare module '#server/feature.ts' {
  interface Feature {
    /** Returns what its jobs take from the configuration. */
    readonly jobSettings?: (config: Config) => Partial<JobSettings>;
  }
}

/** Returns what the jobs of all features take from the configuration. */
export function jobSettingsOf(config: Config): JobSettings {
  return Object.assign({}, ...jobSettings.map((of) => of(config))) as JobSettings;
}
