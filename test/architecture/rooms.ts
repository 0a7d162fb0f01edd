/** Files of the server outside the rooms, with the features that they name, and why they may. */
interface Naming {
  readonly why: string;
  readonly files: Readonly<Record<string, string>>;
}

export const namingFiles: readonly Naming[] = [
  {
    why:
      'Plans, credentials in the activity, what events say about files and links, codes and policies of ' +
      "operations: the contract's words.",
    files: {
      'server/domain/access/key-activity.ts': 'chat',
      'server/domain/access/key-audit.ts': 'chat',
      'server/domain/activity/activity.ts': 's3 upload-tokens uploads',
      'server/domain/events/event-details.ts': 'file-requests upload-tokens',
      'server/domain/events/share-event.ts': 'shares',
      'server/domain/plan.ts': 's3',
      'server/domain/sequence-cursor.ts': 'deploys',
      'server/doors/contract/field-messages.ts': 'images',
      'server/pages/failure.ts': 'shares',
      'server/pipeline/error-response.ts': 'chat',
      'server/pipeline/operation-policy.ts': 'upload-tokens',
    },
  },
  {
    why: 'Limits and texts of pages, which each have one place for all.',
    files: {
      'server/domain/limits.ts': 'shares uploads',
      'server/pages/messages/en.ts': 'file-requests images shares',
      'server/pages/messages/es.ts': 'file-requests images shares',
      'server/pages/messages/pt.ts': 'file-requests images shares',
    },
  },
  {
    why:
      'The door of S3, whose name, port and address the contract has, as of every door. Its key pair ' +
      'is the second secret of a key.',
    files: {
      'server/compose/sites.ts': 's3',
      'server/config/config.ts': 's3',
      'server/config/door-names.ts': 's3',
      'server/domain/access/regenerate-key.ts': 's3 upload-tokens',
      'server/domain/access/require-sender.ts': 's3',
      'server/domain/access/s3-key-pair.ts': 's3',
      'server/domain/master-key/reseal.ts': 's3',
      'server/doors/api/own-addresses.ts': 's3',
      'server/doors/site/serve-console.ts': 's3',
      'server/start.ts': 's3',
    },
  },
  {
    why: 'The protocol of a bucket that holds the files, which a feature speaks too.',
    files: {
      'server/cli/master-key/rotate.ts': 's3',
      'server/cli/store/move-environment.ts': 's3',
      'server/signature-v4/canonical.ts': 's3',
    },
  },
  {
    why:
      'An upload token is a credential of the API: it opens an account and ends with its key. Its ' +
      'feature only makes and forgets them.',
    files: {
      'server/domain/access/authenticate.ts': 'upload-tokens',
      'server/domain/access/caller.ts': 'upload-tokens',
      'server/domain/access/sign-in.ts': 'upload-tokens',
      'server/domain/access/upload-token.ts': 'upload-tokens',
      'server/domain/access/upload-tokens-table.ts': 'upload-tokens',
      'server/domain/console/start-session.ts': 'upload-tokens',
      'server/doors/contract/authenticate-operation.ts': 'upload-tokens',
      'server/doors/contract/guard.ts': 'upload-tokens',
      'server/doors/contract/operation.ts': 'upload-tokens',
      'server/doors/contract/pinned-query.ts': 'upload-tokens',
      'server/pipeline/pipeline.ts': 'upload-tokens',
      'server/pipeline/request-context.ts': 'upload-tokens',
      'server/stores/move/settle.ts': 'upload-tokens',
      'server/stores/tables/account-rows.ts': 'upload-tokens',
      'server/stores/tables/schema-parts.ts': 'upload-tokens',
      'server/stores/tables/tables.ts': 'upload-tokens',
      'server/stores/tables/upload-tokens.ts': 'upload-tokens',
    },
  },
  {
    why:
      'The limits of a key and the budget of an account in the AI gateway, and the sizes of its ' +
      'trash: fields of keys and accounts.',
    files: {
      'server/cli/account/show.ts': 'chat',
      'server/cli/key/ai-limits.ts': 'chat',
      'server/cli/key/create.ts': 'chat',
      'server/cli/key/list.ts': 'chat',
      'server/domain/access/api-key.ts': 'chat s3',
      'server/domain/access/change-key.ts': 'chat',
      'server/domain/access/create-key.ts': 'chat s3',
      'server/domain/access/import-legacy-key.ts': 'chat s3',
      'server/domain/access/key-ai-limits.ts': 'chat',
      'server/domain/access/known-models.ts': 'chat',
      'server/domain/access/table.ts': 'chat s3',
      'server/domain/account/account-ai-limits.ts': 'chat',
      'server/domain/account/account-stats.ts': 'trash',
      'server/domain/account/account.ts': 'chat',
      'server/domain/account/change-account.ts': 'chat',
      'server/domain/account/table.ts': 'chat',
      'server/domain/account/usage-days.ts': 'trash',
      'server/handlers/account.ts': 'chat',
      'server/handlers/operator/accounts.ts': 'chat',
      'server/handlers/operator/views/account.ts': 'chat',
      'server/handlers/operator/views/key.ts': 'chat',
      'server/handlers/operator/views/usage.ts': 'trash',
      'server/stores/tables/accounts.ts': 'chat trash',
      'server/stores/tables/api-keys.ts': 'chat s3',
      'server/stores/tables/store-check.ts': 'trash',
    },
  },
  {
    why:
      'Forms of HTTP: two protocols of uploads, chunked bodies, formats of images, calls to addresses ' +
      'of accounts.',
    files: {
      'server/backends/outbound/checked-post.ts': 'webhooks',
      'server/config/events.ts': 'webhooks',
      'server/doors/contract/upload-headers.ts': 'uploads',
      'server/handlers/call.ts': 'upload-tokens uploads',
      'server/http/accept.ts': 'images',
      'server/http/protocol-errors.ts': 'uploads',
      'server/http/upload-protocols.ts': 'uploads',
    },
  },
  {
    why: 'Attributes of OpenTelemetry, and a share of something else.',
    files: {
      'server/config/telemetry.ts': 'shares',
      'server/pipeline/listener.ts': 'chat',
      'server/telemetry/open-telemetry.ts': 'shares',
    },
  },
  {
    why: 'A section of OpenAPI.',
    files: {
      'server/doors/api/switched-off.ts': 'webhooks',
    },
  },
];
