/** What features read from the environment. Each adds its own to this type. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface FeatureConfigs {}
