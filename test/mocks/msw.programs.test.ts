import { listObjects, uploadObject, type ObjectEntry } from 'cubby-server/client';
import { fixtures } from 'cubby-server/fixtures';
import { cubbyHandler, cubbyHandlers, exampleResponse, type Overrides } from 'cubby-server/msw';
import { setupServer, type SetupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';

const describe = describeWith('msw');

const at = { baseUrl: 'https://api.cubby.invalid', auth: 'any' };
let network: SetupServer;
beforeAll(() => {
  network = setupServer(...cubbyHandlers({ baseUrl: at.baseUrl, publicUrl: 'https://public.cubby.invalid' }));
  network.listen({ onUnhandledFrame: 'error' });
});
afterEach(() => network.resetHandlers());
afterAll(() => network.close());

const file = new File(['x'.repeat(600)], 'april.pdf');

describe('cubbyHandlers()', () => {
  it('sends the first example of each operation', async () => {
    const { data, response } = await listObjects(at);
    expect([response?.status, data]).toEqual([200, fixtures.listObjects.page]);
    expect(response?.headers.get('x-request-id')).toEqual(expect.any(String));
  });

  it('sends ACCESS_DENIED without a credential', async () => {
    expect((await listObjects({ baseUrl: at.baseUrl })).error?.code).toBe('ACCESS_DENIED');
  });

  it('handles public files at their address', async () => {
    const { url } = fixtures.uploadObject.public.response;
    expect((await fetch(url!)).status).toBe(200);
  });

  it('takes overrides, by the name of an example or by a body', async () => {
    const picture: ObjectEntry = { ...fixtures.listObjects.page.response.objects[0]!, size: 7 };
    const overrides: Overrides = {
      uploadObject: 'STORAGE_QUOTA_EXCEEDED',
      listObjects: { body: { status: 'success', response: { objects: [picture] } } },
    };
    network.use(...cubbyHandlers({ baseUrl: at.baseUrl, overrides }));
    const { error, response } = await uploadObject({ ...at, query: { name: 'a' }, body: { file } });
    expect([response?.status, error?.code]).toEqual([403, 'STORAGE_QUOTA_EXCEEDED']);
    expect((await listObjects(at)).data!.response.objects).toEqual([picture]);
    // @ts-expect-error The operation has no such example.
    const wrong: Overrides = { listObjects: 'UPLOAD_FAILED' };
    expect(wrong).toBeDefined();
  });
});

describe('cubbyHandler()', () => {
  it('calls a function for each request', async () => {
    let count = 0;
    network.use(
      cubbyHandler('listObjects', ({ request }) => {
        expect(new URL(request.url).searchParams.get('limit')).toBe('5');
        return ++count === 1 ? 'RATE_LIMITED' : undefined;
      }),
    );
    const ask = () => listObjects({ ...at, query: { limit: 5 } });
    const [first, second] = [await ask(), await ask()];
    expect([first.error?.code, second.response?.status]).toEqual(['RATE_LIMITED', 200]);
    expect(first.response?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('passes the parameters of the path', async () => {
    network.use(cubbyHandler('revokeKey', ({ params }) => Response.json({ id: params.id })));
    const response = await fetch(`${at.baseUrl}/v1/account/keys/abc`, {
      method: 'DELETE',
      headers: { Authorization: 'any' },
    });
    expect(await response.json()).toEqual({ id: 'abc' });
  });

  it('names the examples that there are, if one is unknown', () => {
    expect(() => exampleResponse('listObjects', 'nothing' as 'page')).toThrow(
      /listObjects has no example "nothing"\. It has page, last, folders, /,
    );
    expect(() => cubbyHandler('getPublicFile')).toThrow(/getPublicFile needs "publicUrl"/);
  });
});
