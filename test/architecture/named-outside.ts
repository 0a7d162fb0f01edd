/**
 * Files outside of `server/features/` that import a feature. The core is to know none: what a file here needs is to be
 * handed to it, or to move into the feature. So this list only gets shorter.
 */
export const namedOutside: readonly string[] = [
  'server/backends/webhooks/checked-post.ts',
  'server/config/images.ts',
  'server/doors/public/public-door.ts',
  'server/stores/engine.ts',
  'server/stores/postgres-engine.ts',
  'server/stores/postgres/joined-reads.ts',
  'server/stores/tables/activity.ts',
  'server/stores/tables/store-check.ts',
];
