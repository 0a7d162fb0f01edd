// Made from openapi/ by `npm run generate`. Never edit it by hand.

/** All scopes that a key can be given. */
export const scopes = [
  'account:read',
  'apps:read',
  'apps:control',
  'apps:write',
  'apps:deploy',
  'files:read',
  'files:write',
  'envs:read',
  'envs:write',
  'snapshots:read',
  'snapshots:write',
  'databases:read',
  'databases:write',
  'databases:credentials',
  'workspaces:manage',
  'ai:chat',
  'blob:read',
  'blob:write',
] as const;

/** The kinds of activity in an account. */
export type ActivityType =
  | 'object.uploaded'
  | 'object.deleted'
  | 'object.updated'
  | 'object.copied'
  | 'object.damaged'
  | 'object.repaired'
  | 'object.restored'
  | 'object.purged'
  | 'chunked.started'
  | 'chunked.completed'
  | 'chunked.aborted'
  | 'share.created'
  | 'share.updated'
  | 'share.revoked'
  | 'file_request.created'
  | 'file_request.updated'
  | 'file_request.deleted'
  | 'key.created'
  | 'key.updated'
  | 'key.ai_limit_reached'
  | 'key.revoked'
  | 'rules.changed'
  | 'image_presets.changed'
  | 'settings.changed';

/** The kinds of actions that the audit log records. */
export type AuditAction =
  | 'account.created'
  | 'account.plan_changed'
  | 'account.quota_changed'
  | 'account.ai_budget_changed'
  | 'account.ai_limits_changed'
  | 'account.suspended'
  | 'account.resumed'
  | 'account.deleted'
  | 'account.restored'
  | 'account.removed'
  | 'key.created'
  | 'key.regenerated'
  | 'key.imported'
  | 'key.ai_limits_changed'
  | 'key.revoked'
  | 'app.created'
  | 'share.created'
  | 'share.updated'
  | 'share.revoked'
  | 'file_request.created'
  | 'file_request.updated'
  | 'file_request.deleted'
  | 'session.started'
  | 'job.run'
  | 'clock.confirmed'
  | 'backup.started'
  | 'scrub.started'
  | 'deploys.runner_started'
  | 'deploy.cancelled'
  | 'deploy.repeated'
  | 'edge_log.import_started'
  | 'legacy.imported'
  | 'store.repaired'
  | 'store.restored'
  | 'store.move_started'
  | 'store.move_cancelled'
  | 'database.migrated'
  | 'configuration.changed'
  | 'master_key.accepted'
  | 'master_key.rotated'
  | 'master_key.grace_ended'
  | 'key_encryption_key.rotated'
  | 'operator_key.created'
  | 'operator_key.revoked';

/** The types of events. */
export const eventTypes = [
  'object.created',
  'object.replaced',
  'object.updated',
  'object.moved',
  'object.visibility_changed',
  'object.expiry_changed',
  'object.deleted',
  'object.expired',
  'object.restored',
  'object.purged',
  'upload.started',
  'upload.completed',
  'upload.aborted',
  'share.created',
  'share.updated',
  'share.visited',
  'share.downloaded',
  'share.spent',
  'share.ended',
  'file_request.created',
  'file_request.updated',
  'file_request.received',
  'file_request.full',
  'file_request.ended',
  'upload_token.used_up',
  'quota.reached',
  'ai.budget_reached',
  'key.created',
  'key.updated',
  'key.revoked',
  'deploy.queued',
  'deploy.started',
  'deploy.ended',
  'deploy.filtered',
  'webhook.test',
] as const;

export type EventType = (typeof eventTypes)[number];
