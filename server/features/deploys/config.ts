import { isOn, type Reader } from '#server/config/values.ts';

interface DeploysConfig {
  /** Whether pushes that come soon after another one wait, and are not rejected. */
  readonly coalesces: boolean;
}

declare module '#server/config/feature-configs.ts' {
  interface FeatureConfigs {
    readonly deploys: DeploysConfig;
  }
}

export function deploysConfig(reader: Reader): DeploysConfig {
  return { coalesces: isOn(reader, 'CUBBY_DEPLOY_COALESCE', 'off') };
}
