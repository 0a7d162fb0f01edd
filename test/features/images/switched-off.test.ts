import { describe, expect, it } from 'vitest';

import { answerChecker } from '#mocks/answer-check.ts';
import { contract as wholeContract } from '#test/support/contract.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const contractOf = async (server: TestServer): Promise<any> => (await server.send('/openapi.json')).json();

it('a server without images has no parameters of variants in its contract', async () => {
  const server = await startTestServer({ env: { CUBBY_FEATURES: '-images' } });
  const parameters = /components\/parameters\/image-(\w+)/g;
  expect(new Set(JSON.stringify(wholeContract).match(parameters)).size).toBe(7);
  expect(JSON.stringify(await contractOf(server)).match(parameters)).toBeNull();
});

it('codes that only images have are marked in the contract', () => {
  const codes = Object.values<any>(wholeContract.components.examples)
    .filter((one) => one['x-feature'] === 'images')
    .map(({ value }) => value.code);
  expect(codes).toEqual(expect.arrayContaining(['IMAGE_TOO_LARGE', 'INVALID_IMAGE_PRESETS']));
});

describe('the settings of an account, without images', () => {
  const settings = '/v1/account/settings';

  /** Sends a request. Returns the response, and its differences to the contract that this server serves. */
  async function send(server: TestServer, credential: string, body?: object): Promise<any> {
    const method = body ? 'PUT' : 'GET';
    const headers = { Authorization: credential };
    const address = server.running.urls.api + settings;
    const answer = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const problems = answerChecker(await contractOf(server))({
      ...{ method, path: settings, status: answer.status, body: bytes },
      headers: Object.fromEntries(answer.headers),
    });
    return { problems, ...JSON.parse(bytes.toString()) };
  }

  it('have no presets, in the contract and in responses', async () => {
    const server = await startTestServer({ env: { CUBBY_FEATURES: '-images' } });
    const { components, paths } = await contractOf(server);
    expect(Object.keys(components.schemas.NewSettings.properties)).toEqual(['rules', 'keep_deleted_days']);
    expect(Object.keys(components.schemas.Settings.properties)).toEqual(['rules', 'keep_deleted_days']);
    expect(components.schemas.Settings.required).toEqual(['rules', 'keep_deleted_days']);
    expect(components.schemas).not.toHaveProperty('ImagePreset');
    const { put } = paths[settings];
    expect(Object.keys(put.requestBody.content['application/json'].examples)).toEqual(['rules', 'trash', 'none']);
    expect(components.examples['replaceSettings.none'].value.response).toEqual({ rules: [], keep_deleted_days: 30 });

    const { credential } = await server.account();
    const rules = [{ prefix: 'a/', private: true, created_at: new Date(server.clock.now()).toISOString() }];
    const shown = { problems: [], status: 'success', response: { rules, keep_deleted_days: 30 } };
    expect(await send(server, credential, { rules: [{ prefix: 'a', private: true }] })).toEqual(shown);
    expect(await send(server, credential, {})).toMatchObject({ problems: [], code: 'NOTHING_TO_UPDATE' });
    expect(await send(server, credential)).toEqual(shown);
  });

  it('take no presets, whatever their value is, and then change nothing', async () => {
    const server = await startTestServer({ env: { CUBBY_FEATURES: '-images' } });
    const { credential } = await server.account();
    const { response } = await send(server, credential, { rules: [{ prefix: 'kept' }] });
    for (const presets of [[{ name: 'thumb', w: 320 }], 'no list', null])
      expect(await send(server, credential, { rules: [], image_presets: presets })).toEqual({
        problems: [],
        status: 'error',
        code: 'INVALID_BODY',
        message: '`image_presets` is of no use here, because this server has images switched off. Leave it out.',
      });
    expect((await send(server, credential)).response).toEqual(response);
  });
});
