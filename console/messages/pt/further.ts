import type { FurtherMessages } from '../en/further.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { apps } from './apps.ts';
import { audit } from './audit.ts';
import { backups } from './backups.ts';
import { chat } from './chat.ts';
import { deploys } from './deploys.ts';
import { edgeErrors } from './edge-errors.ts';
import { fileRequests } from './file-requests.ts';
import { jobs } from './jobs.ts';
import { keys } from './keys.ts';
import { overview } from './overview.ts';
import { rules } from './rules.ts';
import { s3 } from './s3.ts';
import { shares } from './shares.ts';
import { trash } from './trash.ts';
import { usage } from './usage.ts';
import { webhooks } from './webhooks.ts';

export const further: FurtherMessages = {
  accounts,
  activity,
  apps,
  audit,
  backups,
  chat,
  deploys,
  edgeErrors,
  fileRequests,
  jobs,
  keys,
  overview,
  rules,
  s3,
  shares,
  trash,
  usage,
  webhooks,
};
