import { describe, expect, it } from 'vitest';

import { changeOf, gibibytes } from '../../console/screens/accounts/account-change.ts';
import { matchesEntry } from '../../console/screens/audit/matches-entry.ts';
import { aboutOf } from '../../console/screens/webhooks/event-about.ts';
import { eventGroups, typesChosen, typesToSend } from '../../console/screens/webhooks/event-types.ts';
import { hasEnded } from '../../console/screens/jobs/has-ended.ts';
import { healthOf } from '../../console/screens/overview/health.ts';
import { stacked } from '../../console/ui/stacked.ts';
import { timeMarks } from '../../console/ui/time-marks.ts';

describe('the choice of events of a webhook', () => {
  const all = [...eventGroups.values()].flat();

  it('becomes the shortest list, and the list becomes the choice again', () => {
    const objects = eventGroups.get('object')!;
    expect(typesToSend(new Set([...objects, 'key.revoked', 'quota.reached']))).toEqual([
      'object.*',
      'quota.reached',
      'key.revoked',
    ]);
    expect(typesChosen(['object.*', 'key.revoked'])).toEqual(new Set([...objects, 'key.revoked']));
    expect(typesToSend(new Set(all))).toBeNull();
    expect(typesChosen(null)).toEqual(new Set(all));
    expect(typesToSend(new Set())).toEqual([]);
  });

  it('has no test events, which go to every webhook', () => expect(all).not.toContain('webhook.test'));
});

describe('changeOf()', () => {
  const account = { plan: 'pro', own_quota_bytes: 1_073_741_824, own_ai_budget: null } as const;

  it('has only what differs, and null for an empty field', () => {
    expect(changeOf(account, { plan: 'pro', quotaGib: '1', aiBudget: undefined })).toBeUndefined();
    expect(changeOf(account, { plan: 'hobby', quotaGib: '2.5', aiBudget: '1000' })).toEqual({
      plan: 'hobby',
      own_quota_bytes: 2_684_354_560,
      own_ai_budget: 1000,
    });
    expect(changeOf(account, { plan: 'pro', quotaGib: undefined, aiBudget: undefined })).toEqual({
      own_quota_bytes: null,
    });
  });

  it('changes nothing of a quota that is no whole number of GiB', () => {
    const odd = { ...account, own_quota_bytes: 500_000_000_001 };
    expect(changeOf(odd, { plan: 'pro', quotaGib: gibibytes(500_000_000_001), aiBudget: undefined })).toBeUndefined();
  });
});

it('stacked() puts each series upon those after it', () => {
  expect(stacked([[1, 2], [10, 20], [100, 200]])).toEqual([[111, 222], [110, 220], [100, 200]]); // prettier-ignore
  expect(stacked([])).toEqual([]);
});

it('timeMarks() names the day once, and days alone for long steps', () => {
  const at = (text: string) => Date.parse(text) / 1000;
  const marks = [at('2026-04-20T22:00:00Z'), at('2026-04-21T00:00:00Z'), at('2026-04-21T02:00:00Z')];
  expect(timeMarks(marks, 7200, 'es', 'UTC')).toEqual(['22:00\n20 abr', '0:00\n21 abr', '2:00']);
  expect(timeMarks(marks, 86_400, 'es', 'UTC')).toEqual(['20 abr', '21 abr', '21 abr']);
});

it('aboutOf() finds the name of what an event is about', () => {
  expect(aboutOf({ object: { id: 'pub/1/a.png', size: 3 } })).toBe('pub/1/a.png');
  expect(aboutOf({ key: { id: 'key_1', name: 'Website' } })).toBe('Website');
  expect(aboutOf({ count: 3 })).toBe('');
});

it('matchesEntry() finds all words of a text, also in details', () => {
  const entry = {
    sequence: 1,
    at: '2026-04-19T08:00:00.000Z',
    action: 'account.created',
    actor: { kind: 'command_line', id: 'cubby', address: null },
    account_id: '204815162342108999',
    subject: null,
    details: { name: 'Acme' },
    previous_hash: '',
    hash: '',
  } as const;
  expect(matchesEntry(entry, ' acme CREATED ')).toBe(true);
  expect(matchesEntry(entry, 'acme deleted')).toBe(false);
  expect(matchesEntry(entry, '')).toBe(true);
});

it('hasEnded() waits for a run that began after the one before', () => {
  const jobs = [{ job: 'a', waits_for_clock: false, last_run: { started_at: '2', duration_ms: 1, count: null } }];
  expect(hasEnded(jobs, 'a', '1')).toBe(true);
  expect(hasEnded(jobs, 'a', '2')).toBe(false);
  expect(hasEnded(jobs, 'a', null)).toBe(true);
  expect(hasEnded(jobs, 'b', null)).toBe(false);
});

it('healthOf() names what an operator should look at', () => {
  const disk = { full: false, free_bytes: 1, min_free_bytes: 0, reserve_bytes: 0 };
  const scrub = { days: 30, damaged_files: 0, round: null };
  expect(healthOf({ disk }, undefined, false)).toEqual([]);
  expect(healthOf({ disk: { ...disk, full: true } }, { backups: [], scrub }, true)).toEqual([
    'disk',
    'clock',
    'backupNone',
  ]);
  expect(healthOf({ disk }, { backups: [], scrub: { ...scrub, damaged_files: 2 } }, false)).toContain('damaged');
});
