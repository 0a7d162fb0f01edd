import type { Exchanged } from '../exchanged.ts';
import type { World } from '../world.ts';
import { notePage, type Harvest } from './note.ts';

function noteDecision(world: World, exchanged: Exchanged): void {
  const form = new URLSearchParams(exchanged.request.body);
  const code = form.get('user_code') ?? '';
  if (exchanged.answer.status === 303 && /^(approve|refuse)$/.test(form.get('action') ?? '')) {
    world.shared.remove('userCode', code);
    const device = world.passwords.get(code);
    if (form.get('action') === 'approve') world.shared.add('approvedCode', device);
  }
  notePage(world, exchanged);
}

export const devices: Readonly<Record<string, Harvest>> = {
  requestDeviceCode: (world, { json }) => {
    world.shared.add('userCode', json.user_code);
    world.shared.add('waitingCode', json.device_code);
    world.passwords.set(json.user_code, json.device_code);
  },
  showActivationPage: (world, exchanged) => notePage(world, exchanged),
  submitActivation: (world, exchanged) => noteDecision(world, exchanged),
  pollDeviceToken: (world, exchanged) => {
    world.pool.add('credential', exchanged.json.access_token);
    const { request } = exchanged;
    for (const code of world.shared.all('approvedCode'))
      if (request.body?.includes(code)) world.shared.remove('approvedCode', code);
  },
};
