import { accountsConformance } from './accounts.ts';
import { activityConformance } from './activity.ts';
import { eventsConformance } from './events.ts';
import { webhooksConformance } from './webhooks.ts';
import { apiKeysConformance } from './api-keys.ts';
import { appsConformance } from './apps.ts';
import { auditConformance } from './audit.ts';
import { atomicallyConformance } from './atomically.ts';
import { backupsConformance } from './backups.ts';
import { bundlesConformance } from './bundles.ts';
import { aiRequestsConformance } from './ai-requests.ts';
import { chatConformance } from './chat.ts';
import { chunkedUploadsConformance } from './chunked-uploads.ts';
import { clockJumpConformance } from './clock-jump.ts';
import { contentsConformance } from './contents.ts';
import { deploysConformance } from './deploys.ts';
import { deviceRequestsConformance } from './device-requests.ts';
import { edgeErrorsConformance } from './edge-errors.ts';
import { edgeLogsConformance } from './edge-logs.ts';
import { fileRequestsConformance } from './file-requests.ts';
import { legacyImportsConformance } from './legacy-imports.ts';
import { limitWindowsConformance } from './limit-windows.ts';
import { masterKeysConformance } from './master-keys.ts';
import { objectsConformance } from './objects.ts';
import { operatorConformance } from './operator.ts';
import { purgesConformance } from './purges.ts';
import { reservationsConformance } from './reservations.ts';
import { rootKeysConformance } from './root-keys.ts';
import { imagePresetsConformance } from './image-presets.ts';
import { rulesConformance } from './rules.ts';
import { browserSessionsConformance } from './browser-sessions.ts';
import { sessionsConformance } from './sessions.ts';
import { sharesConformance } from './shares.ts';
import { uploadTokensConformance } from './upload-tokens.ts';
import { trafficConformance } from './traffic.ts';
import { trashConformance } from './trash.ts';
import { storeCheckConformance } from './store-check.ts';
import { storeInTest, type OpenedMetadata } from './store-in-test.ts';

/**
 * Tests that a metadata store keeps the port's contract, table by table. `open` is called before each test and returns
 * an empty store.
 */
export function metadataConformance(name: string, open: () => Promise<OpenedMetadata>): void {
  const store = storeInTest(name, open);
  const suites = [
    atomicallyConformance,
    accountsConformance,
    apiKeysConformance,
    legacyImportsConformance,
    objectsConformance,
    trafficConformance,
    trashConformance,
    activityConformance,
    eventsConformance,
    webhooksConformance,
    contentsConformance,
    backupsConformance,
    bundlesConformance,
    storeCheckConformance,
    reservationsConformance,
    rulesConformance,
    imagePresetsConformance,
    rootKeysConformance,
    uploadTokensConformance,
    fileRequestsConformance,
    chunkedUploadsConformance,
    clockJumpConformance,
    browserSessionsConformance,
    sessionsConformance,
    deviceRequestsConformance,
    sharesConformance,
    limitWindowsConformance,
    chatConformance,
    aiRequestsConformance,
    appsConformance,
    auditConformance,
    edgeErrorsConformance,
    edgeLogsConformance,
    deploysConformance,
    operatorConformance,
    masterKeysConformance,
    purgesConformance,
  ];
  for (const conformance of suites) conformance(store);
}
