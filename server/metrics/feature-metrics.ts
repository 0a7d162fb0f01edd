import type { Instruments } from './instruments.ts';

/** What features count. Each adds its own to this type. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface FeatureMetrics {}

declare module '#server/feature.ts' {
  interface Feature {
    /** Creates its metrics, also when it is switched off. */
    readonly metrics?: (create: Instruments) => Partial<FeatureMetrics>;
  }
}
