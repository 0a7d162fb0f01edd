import { describe, expect, it } from 'vitest';

import { ask, askForStream } from '#test/support/chat.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import type { TestServer } from '#test/support/server.ts';

const question = [{ role: 'user', content: 'hello' }];

/** Sends the same question in each form. */
function asker(server: TestServer, credential: string) {
  const post = (path: string, body: object) =>
    server.send(path, { method: 'POST', credential, body: JSON.stringify(body) });
  return {
    chat: (model?: unknown) => ask(server, credential, { model, messages: question }),
    response: (model?: unknown, more = {}) => post('/v2/ai/responses', { model, input: 'hello', ...more }),
    message: (model?: unknown, more = {}) =>
      post('/v2/ai/messages', { model, max_tokens: 9, messages: question, ...more }),
    models: (path = '') => server.send(`/v2/ai/models${path}`, { credential }),
  };
}

async function start(more: object = {}) {
  const [small, large] = await numberedUpstreams(2);
  const { server, credential } = await startModelsServer({
    default: 'small',
    models: [
      { name: 'small', aliases: ['gpt-4o-mini', 'openai/gpt-5'], upstreams: [{ url: small!.url, model: 'tiny' }] },
      { name: 'large:70b', aliases: ['claude-opus-5'], upstreams: [{ name: 'gpu', url: large!.url, model: 'huge' }] },
    ],
    ...more,
  });
  return { server, credential, small: small!, large: large!, ...asker(server, credential) };
}

describe('the names of models in a file', () => {
  it('choose the model, and the answer has the listed name, in all forms', async () => {
    const { chat, response, message, small, large } = await start();
    for (const [asked, name, text] of [
      ['small', 'small', '0'],
      ['gpt-4o-mini', 'small', '0'],
      ['openai/gpt-5', 'small', '0'],
      ['cubic', 'small', '0'],
      [undefined, 'small', '0'],
      [null, 'small', '0'],
      ['', 'small', '0'],
      ['something-else', 'small', '0'],
      ['large:70b', 'large:70b', '1'],
      ['claude-opus-5', 'large:70b', '1'],
    ] as const) {
      const chatted = (await chat(asked)).json();
      expect([chatted.model, chatted.choices[0].message.content], String(asked)).toEqual([name, text]);
      const responded = (await response(asked)).json();
      expect([responded.model, responded.output[0].content[0].text], String(asked)).toEqual([name, text]);
      const sent = (await message(asked)).json();
      expect([sent.model, sent.content[0].text], String(asked)).toEqual([name, text]);
    }
    // The servers get their own name of the model.
    expect(new Set(small.requests.map(({ body }) => body.model))).toEqual(new Set(['tiny']));
    expect(new Set(large.requests.map(({ body }) => body.model))).toEqual(new Set(['huge']));
  });

  it('are in all pieces of streams', async () => {
    const { server, credential, response, message } = await start();
    const { events } = await askForStream(server, credential, { model: 'claude-opus-5', messages: question });
    expect(new Set(events.filter((event) => event !== '[DONE]').map(({ model }) => model))).toEqual(
      new Set(['large:70b']),
    );
    const responded = (await response('claude-opus-5', { stream: true })).body.toString();
    expect(new Set(responded.match(/"model":"[^"]*"/g))).toEqual(new Set(['"model":"large:70b"']));
    const sent = (await message('claude-opus-5', { stream: true })).body.toString();
    expect(new Set(sent.match(/"model":"[^"]*"/g))).toEqual(new Set(['"model":"large:70b"']));
  });

  it('are listed with cubic first, and without aliases', async () => {
    const { models } = await start();
    const { data } = (await models()).json();
    expect(data.map(({ id }: { readonly id: string }) => id)).toEqual(['cubic', 'small', 'large:70b']);
  });

  it('are found one by one, also by an alias', async () => {
    const { models } = await start();
    const found = async (name: string) => {
      const answer = await models(`/${encodeURIComponent(name)}`);
      return answer.status === 200 ? answer.json().id : answer.json().error.code;
    };
    expect(await found('cubic')).toBe('cubic');
    expect(await found('large:70b')).toBe('large:70b');
    expect(await found('claude-opus-5')).toBe('large:70b');
    expect(await found('openai/gpt-5')).toBe('small');
    expect(await found('another')).toBe('model_not_found');
    expect(await found('__proto__')).toBe('model_not_found');
  });

  it('can be the only ones that are answered', async () => {
    const { chat, response, message, server, credential, small } = await start({ unknown_models: 'reject' });
    for (const asked of [chat, response, message]) {
      const answer = await asked('another');
      expect([answer.status, answer.json().error.code]).toEqual([404, 'model_not_found']);
    }
    expect((await message('another')).json().error.type).toBe('not_found_error');
    const streamed = await askForStream(server, credential, { model: 'another', messages: question });
    expect([streamed.status, streamed.events]).toEqual([404, []]);
    expect(small.requests).toEqual([]);
    const { requests } = (await server.send('/v2/ai/usage', { credential })).json();
    expect(requests.today.used).toBe(0);
    for (const known of ['cubic', undefined, null, 'gpt-4o-mini']) expect((await chat(known)).status).toBe(200);
  });

  it('include cubic if the file has a model with this name', async () => {
    const [only, other] = await numberedUpstreams(2);
    const { server, credential } = await startModelsServer({
      models: [
        { name: 'other', upstreams: [{ url: other!.url }] },
        { name: 'cubic', upstreams: [{ url: only!.url }] },
      ],
    });
    const { chat, models } = asker(server, credential);
    expect((await chat('unheard-of')).json()).toMatchObject({ model: 'cubic' });
    expect((await models()).json().data.map(({ id }: { readonly id: string }) => id)).toEqual(['cubic', 'other']);
    expect([only!.requests.length, other!.requests.length]).toEqual([1, 0]);
    expect(only!.requests[0]!.body.model).toBe('default');
  });

  it('are in the log line of the request', async () => {
    const { server, chat } = await start();
    await chat('claude-opus-5');
    await expect
      .poll(() => server.log.find(({ operation }) => operation === 'createChatCompletion'))
      .toMatchObject({ model: 'large:70b' });
    expect(server.log.find(({ upstream }) => upstream === 'gpu')).toMatchObject({
      level: 'debug',
      model: 'large:70b',
      outcome: 'answered',
    });
  });
});
