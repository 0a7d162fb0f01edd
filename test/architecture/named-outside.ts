/**
 * Files outside of `server/features/` that import a feature. The core is to know none: what a file here needs is to be
 * handed to it, or to move into the feature. So this list only gets shorter.
 */
export const namedOutside: readonly string[] = [
  'server/backends/webhooks/checked-post.ts',
  'server/config/images.ts',
  'server/doors/contract/operation-call.ts',
  'server/doors/contract/operation.ts',
  'server/doors/contract/page-parts.ts',
  'server/doors/contract/request-body.ts',
  'server/doors/contract/write-conditions.ts',
  'server/doors/public/public-door.ts',
  'server/handlers/call.ts',
  'server/handlers/client-forms.ts',
  'server/handlers/event-streams.ts',
  'server/handlers/ports.ts',
  'server/handlers/request-references.ts',
  'server/pipeline/error-count.ts',
  'server/pipeline/error-response.ts',
  'server/stores/engine.ts',
  'server/stores/postgres-engine.ts',
  'server/stores/postgres/joined-reads.ts',
  'server/stores/tables/activity.ts',
  'server/stores/tables/store-check.ts',
];
