import type { Feature } from './feature.ts';
import { apps } from './features/apps/feature.ts';
import { chat } from './features/chat/feature.ts';
import { deploys } from './features/deploys/feature.ts';
import { devices } from './features/devices/feature.ts';
import { edgeErrors } from './features/edge-errors/feature.ts';
import { fileRequests } from './features/file-requests/feature.ts';
import { files } from './features/files/feature.ts';
import { folders } from './features/folders/feature.ts';
import { images } from './features/images/feature.ts';
import { rules } from './features/rules/feature.ts';
import { s3 } from './features/s3/feature.ts';
import { settings } from './features/settings/feature.ts';
import { shares } from './features/shares/feature.ts';
import { trash } from './features/trash/feature.ts';
import { uploadTokens } from './features/upload-tokens/feature.ts';
import { uploads } from './features/uploads/feature.ts';
import { webhooks } from './features/webhooks/feature.ts';

/** The features, in an order in which each needs only those before it. */
export const features = [
  apps,
  deploys,
  devices,
  rules,
  uploadTokens,
  files,
  chat,
  images,
  shares,
  uploads,
  fileRequests,
  edgeErrors,
  trash,
  folders,
  s3,
  settings,
  webhooks,
] as const satisfies readonly Feature[];
