import { expect, it } from 'vitest';

import type { SettingsChange } from '#server/domain/account/settings-change.ts';
import { systemActor as actor } from '#server/domain/activity/activity.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { replaceSettings } from '#server/features/settings/replace-settings.ts';
import { startTestServer } from '#test/support/server.ts';
import { openTestStores } from '#test/support/stores.ts';

/** Returns the change of a list that notes what is done with it. */
function noted(name: string, steps: string[], refusal?: Refusal): SettingsChange {
  return {
    check() {
      steps.push(`check ${name}`);
      if (refusal) throw refusal;
    },
    async replace() {
      steps.push(`replace ${name}`);
    },
  };
}

async function replacing(changes: Readonly<Record<string, SettingsChange | undefined>>, steps: string[]) {
  const stores = await openTestStores();
  const read = async () => void steps.push('read');
  return replaceSettings(stores, { account: await stores.account(), changes, actor, read });
}

it('replaceSettings() checks every list, then replaces those that are given, and then reads', async () => {
  const steps: string[] = [];
  await replacing({ a: noted('a', steps), b: undefined, c: noted('c', steps) }, steps);
  expect(steps).toEqual(['check a', 'check c', 'replace a', 'replace c', 'read']);
});

it('replaceSettings() replaces no list if one is refused', async () => {
  const steps: string[] = [];
  const changes = { a: noted('a', steps), b: noted('b', steps, new Refusal('INVALID_IMAGE_PRESETS')) };
  await expect(replacing(changes, steps)).rejects.toMatchObject({ code: 'INVALID_IMAGE_PRESETS' });
  expect(steps).toEqual(['check a', 'check b']);
});

it('replaceSettings() answers NOTHING_TO_UPDATE without a list, and names them all', async () => {
  await expect(replacing({ rules: undefined, image_presets: undefined }, [])).rejects.toMatchObject({
    code: 'NOTHING_TO_UPDATE',
    message: 'Send at least one setting: rules, image_presets.',
  });
});

it('settings are shown in the order of the contract, with the activity of each list that was replaced', async () => {
  const server = await startTestServer();
  const { credential } = await server.account();
  const body = JSON.stringify({ image_presets: [{ name: 'thumb', w: 320 }], rules: [{ prefix: 'a' }] });
  const { response } = (await server.send('/v1/account/settings', { method: 'PUT', credential, body })).json();
  expect(Object.entries(response)).toEqual([
    ['rules', [expect.objectContaining({ prefix: 'a/' })]],
    ['image_presets', [{ name: 'thumb', w: 320, fit: 'contain', f: 'auto' }]],
    ['keep_deleted_days', 30],
  ]);
  const shown = (await server.send('/v1/account/settings', { credential })).json();
  expect(JSON.stringify(shown.response)).toBe(JSON.stringify(response));
  const { activity } = (await server.send('/v1/account/activity', { credential })).json().response;
  expect(activity.map(({ type }: { type: string }) => type).slice(0, 2)).toEqual([
    'image_presets.changed',
    'rules.changed',
  ]);
});
