import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { gibibyte } from '#server/domain/limits.ts';
import {
  accountRequestsPerMinute,
  includedBytes,
  maxRules,
  plans,
  quotaBytesOf,
  s3RequestsPerWindow,
} from '#server/domain/plan.ts';

it("the operator's guide says what each plan allows", () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/operating/accounts.md'), 'utf8');
  for (const plan of plans) {
    const figures = [
      `${includedBytes[plan] / gibibyte} GiB`,
      `${quotaBytesOf({ plan, quotaBytes: null }) / gibibyte} GiB`,
      accountRequestsPerMinute[plan],
      s3RequestsPerWindow[plan],
      maxRules[plan],
    ];
    expect(guide).toContain(`| \`${plan}\` | ${figures.join(' | ')} |`);
  }
});
