import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';

const inBrowser = ({ browser, random }: World): Record<string, string> => ({
  Accept: random.pick(['text/html', 'text/html', 'text/html,application/xhtml+xml;q=0.9', '*/*']),
  ...(browser.cookies.size > 0 && { Cookie: browser.cookieHeader() }),
});

/** Sends the form of the page that was shown last. */
function submit(world: World, fields: Readonly<Record<string, string>>): Draft {
  const form = { form_token: world.browser.formToken!, ...fields };
  return draftOf(world, 'submitActivation', {
    headers: inBrowser(world),
    body: { kind: 'form', fields: Object.entries(form) },
  });
}

/** The next step of a person: signs in, enters a code, decides. */
const submitActivation: Recipe = (world) => {
  const { browser, random } = world;
  if (browser.formToken === undefined) return device.showActivationPage!(world);
  if (!browser.isSignedIn) return submit(world, { action: 'sign_in', api_key: world.member.credential });
  if (browser.reviewed !== undefined)
    return submit(world, { action: random.chance(0.85) ? 'approve' : 'refuse', user_code: browser.reviewed });
  const code = world.shared.some('userCode', random);
  if (code === undefined) return draftOf(world, 'requestDeviceCode');
  return random.chance(0.05)
    ? submit(world, { action: 'sign_out' })
    : submit(world, { action: 'look_up', user_code: code });
};

export const device: Readonly<Record<string, Recipe>> = {
  requestDeviceCode: (world) => {
    // The two names of a field exclude each other.
    const fields = world.pick<Record<string, unknown>>(
      { client_name: 'Cubby CLI', client_id: undefined, scope: undefined, scopes: ['blob:read'] },
      { client_name: undefined, client_id: 'cli', scopes: undefined, scope: 'blob:read blob:write' },
    );
    return draftOf(world, 'requestDeviceCode', { fields });
  },
  showActivationPage: (world) =>
    draftOf(world, 'showActivationPage', {
      headers: inBrowser(world),
      query: { done: world.pick(undefined, undefined, 'approved') },
    }),
  submitActivation,
  pollDeviceToken: (world) => {
    const code = world.shared.some('approvedCode', world.random);
    if (code === undefined) return submitActivation(world);
    return draftOf(world, 'pollDeviceToken', { fields: { device_code: code } });
  },
};
