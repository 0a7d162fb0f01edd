import { suspendAccount } from '#server/domain/account/close-account.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { Approver, askForKey, poll, postJson, signedIn } from '#test/support/activation.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

const tooLong = { padding: ' '.repeat(1_048_576) };

const asked =
  (body: unknown): Provocation =>
  ({ server }) =>
    postJson(server, '/v2/auth/device', body);

/** An address may request ten codes and ask sixty times a minute. Rejected requests count too. */
async function often(times: number, act: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (let time = 0; time < times; time++) await act();
  return act();
}

export const requestDeviceCode: PairsOf<'requestDeviceCode'> = {
  invalid_request: asked({ client_name: ' ', scopes: ['blob:read'] }),
  invalid_scope: asked({ client_name: 'CLI', scopes: ['*'] }),
  body_too_large: asked({ client_name: 'CLI', scopes: ['blob:read'], ...tooLong }),
  rate_limited: ({ limited }) => often(10, () => postJson(limited, '/v2/auth/device', {})),
  storage_unavailable: (context) =>
    context.faults.unavailable('atomically', () => asked({ client_name: 'CLI', scopes: ['blob:read'] })(context)),
  internal_server_error: (context) =>
    context.faults.unexpected('atomically', () => asked({ client_name: 'CLI', scopes: ['blob:read'] })(context)),
};

const polled =
  (body: unknown): Provocation =>
  ({ server }) =>
    postJson(server, '/v2/auth/device/token', body);

/** A signed-in person and a waiting code. */
async function deciding(server: TestServer) {
  const { credential } = await server.account();
  return { person: await signedIn(server, credential), codes: await askForKey(server), credential };
}

export const pollDeviceToken: PairsOf<'pollDeviceToken'> = {
  authorization_pending: async ({ server }) => poll(server, await askForKey(server)),
  async slow_down({ server }) {
    const codes = await askForKey(server);
    await poll(server, codes);
    return poll(server, codes);
  },
  async expired_token({ server }) {
    const codes = await askForKey(server);
    server.clock.advance(900_000);
    return poll(server, codes);
  },
  async access_denied({ server }) {
    const { person, codes } = await deciding(server);
    await person.decide('refuse', codes.user_code);
    return poll(server, codes);
  },
  invalid_grant: polled({ device_code: 'unknown' }),
  invalid_request: polled({}),
  unsupported_grant_type: polled({ device_code: 'unknown', grant_type: 'authorization_code' }),
  body_too_large: polled({ device_code: 'unknown', ...tooLong }),
  rate_limited: ({ limited }) => often(60, () => postJson(limited, '/v2/auth/device/token', {})),
  storage_unavailable: ({ server, faults }) =>
    faults.unavailable('atomically', () => poll(server, { device_code: 'unknown' })),
  internal_server_error: ({ server, faults }) =>
    faults.unexpected('atomically', () => poll(server, { device_code: 'unknown' })),
};

export const showActivationPage: PairsOf<'showActivationPage'> = {
  RATE_LIMITED: ({ limited }) => often(60, () => limited.send('/activate')),
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const { person } = await deciding(server);
    return faults.unavailable('sessions.find', () => person.open({ Accept: '*/*' }));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { person } = await deciding(server);
    return faults.unexpected('sessions.find', () => person.open({ Accept: '*/*' }));
  },
};

const json = { Accept: '*/*' };

const signingIn =
  (credential: (server: TestServer) => Promise<string>): Provocation =>
  async ({ server }) => {
    const person = new Approver(server);
    await person.open();
    return person.submit({ action: 'sign_in', api_key: await credential(server) }, json);
  };

export const submitActivation: PairsOf<'submitActivation'> = {
  async INVALID_USER_CODE({ server }) {
    const { person } = await deciding(server);
    return person.submit({ action: 'look_up', user_code: 'BBBB-BBBB' }, json);
  },
  INVALID_BODY: ({ server }) => new Approver(server).submit({ action: 'approve_all', form_token: 'x' }, json),
  async APIKEY_LIMIT_REACHED({ server }) {
    const account = await server.account();
    const [person, { user_code: code }] = [await signedIn(server, account.credential), await askForKey(server)];
    for (let key = 1; key < 10; key++) await server.key(account, { scopes: ['blob:read'] });
    await person.lookUp(code);
    return person.submit({ action: 'approve', user_code: code }, json);
  },
  ACCESS_DENIED: signingIn(async () => 'cbk_unknown'),
  MISSING_SCOPE: signingIn(async (server) =>
    server.key(await server.account(), { scopes: ['account:read', 'blob:read', 'blob:write', 'workspaces:manage'] }),
  ),
  ACCOUNT_SUSPENDED: signingIn(async (server) => {
    const { id: accountId, credential } = await server.account();
    await suspendAccount(server.running.app.stores, { accountId, by: serverActor });
    return credential;
  }),
  async INVALID_FORM_TOKEN({ server }) {
    const { person } = await deciding(server);
    return person.submit({ action: 'sign_out', form_token: 'x' }, json);
  },
  BODY_TOO_LARGE: ({ server }) => new Approver(server).submit({ action: 'sign_in', api_key: 'x', ...tooLong }, json),
  RATE_LIMITED: ({ limited }) =>
    often(20, () => new Approver(limited).submit({ action: 'sign_in', form_token: 'x' }, json)),
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const { person, codes } = await deciding(server);
    return faults.unavailable('atomically', () =>
      person.submit({ action: 'look_up', user_code: codes.user_code }, json),
    );
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { person, codes } = await deciding(server);
    return faults.unexpected('atomically', () =>
      person.submit({ action: 'look_up', user_code: codes.user_code }, json),
    );
  },
};
