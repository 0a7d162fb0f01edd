import type { FurtherMessages } from '../en/further.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { ai } from './chat.ts';
import { audit } from './audit.ts';
import { backups } from './backups.ts';
import { deploys } from './deploys.ts';
import { events } from './webhooks.ts';
import { jobs } from './jobs.ts';
import { keys } from './keys.ts';
import { overview } from './overview.ts';
import { requests } from './file-requests.ts';
import { rules } from './rules.ts';
import { s3 } from './s3.ts';
import { shares } from './shares.ts';
import { trash } from './trash.ts';
import { usage } from './usage.ts';

export const further: FurtherMessages = {
  accounts,
  activity,
  ai,
  audit,
  backups,
  deploys,
  events,
  jobs,
  keys,
  overview,
  requests,
  rules,
  s3,
  shares,
  trash,
  usage,
};
