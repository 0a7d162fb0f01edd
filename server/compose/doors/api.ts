import type { RequestListener } from 'node:http';

import type { OperationsHandlers } from '#generated/router.ts';
import { UploadTurns } from '#server/features/uploads/upload-turns.ts';
import { apiDoor } from '#server/doors/api/api-door.ts';
import { accountHandlers } from '#server/handlers/account.ts';
import { appsHandlers } from '#server/features/apps/handlers/apps.ts';
import { deploysHandlers } from '#server/features/deploys/handlers/apps.ts';
import { networkErrorsHandlers } from '#server/features/edge-errors/handlers/network-errors.ts';
import { imagesAccountHandlers } from '#server/features/images/handlers/account.ts';
import { settingsAccountHandlers } from '#server/features/settings/handlers/account.ts';
import type { Call } from '#server/handlers/call.ts';
import { chunkedHandlers } from '#server/features/uploads/handlers/chunked.ts';
import { deviceHandlers } from '#server/features/devices/handlers/device.ts';
import { eventsHandlers } from '#server/features/webhooks/handlers/events.ts';
import { fileRequestsHandlers } from '#server/features/file-requests/handlers/file-requests.ts';
import { foldersHandlers } from '#server/features/folders/handlers/folders.ts';
import { objectsHandlers } from '#server/features/files/handlers/objects.ts';
import { s3CredentialsHandlers } from '#server/features/s3/handlers/s3.ts';
import { sessionsHandlers } from '#server/handlers/sessions.ts';
import { sharesHandlers } from '#server/features/shares/handlers/shares.ts';
import { trashHandlers } from '#server/features/trash/handlers/trash.ts';
import { uploadTokensHandlers } from '#server/features/upload-tokens/handlers/upload-tokens.ts';
import { uploadsHandlers } from '#server/features/uploads/handlers/uploads.ts';
import { fileDeployLogs } from '#server/features/deploys/stores/filesystem/deploy-logs.ts';
import { MemoryBreakdownCache } from '#server/features/edge-errors/stores/memory/breakdown-cache.ts';
import { MemoryDeploymentCache } from '#server/features/deploys/stores/memory/deployment-cache.ts';
import { MemoryListPages } from '#server/features/files/stores/memory/list-pages.ts';
import { MemoryStatsCache } from '#server/stores/memory/stats-cache.ts';
import { contractFolder } from './contract.ts';
import type { Given } from './given.ts';
import type { Shared } from './shared.ts';
import { consoleOf, docsFolder } from './sites.ts';
import { withoutSlash } from './without-slash.ts';

export function composeApiDoor(
  given: Given,
  { common, core, limits, noteUse, handleOf, scrypt, hashing, hashes }: Shared,
  streamsEnd: AbortController,
  operations: OperationsHandlers<Call>,
): RequestListener {
  const { config, urls, stores, metrics, chat, events, webhooks, onFolderJob } = given;
  const { blobs, cdn } = stores;
  const noteStored = (bytes: number) => metrics.bytesReceived('api', bytes);
  const files = { ...core, blobs, publicHost: urls.public, noteStored };
  return apiDoor({
    ...common,
    docsUrl: withoutSlash(new URL(urls.api).pathname),
    hasMetrics: config.hasPublicMetrics,
    handleOf,
    docsFolder,
    console: consoleOf(given, 'account'),
    addresses: urls,
    contractFolder,
    handlers: {
      objects: objectsHandlers({ ...files, cdn, pages: new MemoryListPages(), filesHost: urls.files }),
      chunked: chunkedHandlers({ ...files, onUnhashed: events.onUnhashed, hashes }),
      uploads: uploadsHandlers({ ...files, onUnhashed: events.onUnhashed, hashes, turns: new UploadTurns() }),
      uploadTokens: uploadTokensHandlers(core),
      trash: trashHandlers(core),
      folders: foldersHandlers({ ...core, onFolderJob }),
      shares: sharesHandlers({ ...core, hashing, scrypt, filesHost: urls.files }),
      fileRequests: fileRequestsHandlers({ ...core, hashing, scrypt, filesHost: urls.files }),
      account: {
        ...accountHandlers({ ...core, cache: new MemoryStatsCache(), models: chat.models }),
        ...imagesAccountHandlers(core),
        ...settingsAccountHandlers(core),
      },
      events: eventsHandlers({ ...core, ...webhooks, eventSignals: stores.eventSignals, stopping: streamsEnd.signal }),
      sessions: sessionsHandlers({ ...core, ownUrl: urls.api, failures: limits, noteUse }),
      s3: s3CredentialsHandlers({ secrets: core.secrets, s3Host: urls.s3 }),
      chat: chat.handlers,
      apps: {
        ...appsHandlers(core),
        ...networkErrorsHandlers({ ...core, breakdowns: new MemoryBreakdownCache() }),
        ...deploysHandlers({
          ...core,
          deployments: new MemoryDeploymentCache(),
          apiHost: urls.api,
          coalesces: config.coalescesDeploys,
          isAllowedOrigin: webhooks.isAllowedOrigin,
          logs: fileDeployLogs(config.dataDir),
          stopping: streamsEnd.signal,
        }),
      },
      device: deviceHandlers({ ...core, activationUrl: `${urls.api}/activate`, failures: limits, noteUse }),
      operations,
    },
  });
}
