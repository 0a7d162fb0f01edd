import { describe, expect, it } from 'vitest';

import { ask, askForStream } from '#test/support/chat.ts';
import { numberedUpstreams, startModelsServer } from '#test/support/models.ts';
import type { TestServer } from '#test/support/server.ts';

/** Sends the same question several times, two at once. Returns the texts, or the codes of errors. */
async function askTimes(server: TestServer, credential: string, model: string, times: number): Promise<string[]> {
  const texts: string[] = [];
  const client = async (count: number) => {
    for (let asked = 0; asked < count; asked++) {
      const body = { model, messages: [{ role: 'user', content: 'hello' }] };
      const answer = (await ask(server, credential, body)).json();
      texts.push(answer.error?.code ?? answer.choices[0].message.content);
    }
  };
  await Promise.all([client(Math.ceil(times / 2)), client(Math.floor(times / 2))]);
  return texts;
}

const countOf = (texts: readonly string[], text: string) => texts.filter((one) => one === text).length;

async function metricsOf(server: TestServer): Promise<string> {
  return (await server.send('/metrics', { door: 'operator' })).body.toString();
}

describe('the servers of a model', () => {
  it('share its requests by their weights', async () => {
    const [heavy, light] = await numberedUpstreams(2);
    const { server, credential } = await startModelsServer({
      models: [{ name: 'cubic', upstreams: [{ url: heavy!.url, weight: 4 }, { url: light!.url }] }],
    });
    const times = 200;
    const texts = await askTimes(server, credential, 'cubic', times);
    expect(countOf(texts, '0') + countOf(texts, '1')).toBe(times);
    // Six times the standard deviation: by chance this fails once in 500 million runs.
    expect(Math.abs(countOf(texts, '1') - times / 5)).toBeLessThan(6 * Math.sqrt((times * 4) / 25));
  });

  it('take over from each other, and then the next group does', async () => {
    const upstreams = await numberedUpstreams(4);
    const [first, second, third, fourth] = upstreams;
    const { server, credential } = await startModelsServer({
      models: [
        {
          name: 'cubic',
          upstreams: [
            { url: fourth!.url, order: 3 },
            { url: first!.url },
            { url: third!.url, order: 2 },
            { url: second!.url },
          ],
        },
      ],
    });
    first!.answer({ status: 500 });
    expect(await askTimes(server, credential, 'cubic', 6)).toEqual(Array(6).fill('1'));
    second!.answer('hang-up');
    expect(await askTimes(server, credential, 'cubic', 2)).toEqual(['2', '2']);
    third!.answer({ status: 401 });
    expect(await askTimes(server, credential, 'cubic', 2)).toEqual(['3', '3']);
    const stream = await askForStream(server, credential, 'hello');
    expect([stream.status, stream.text, stream.events.at(-1)]).toEqual([200, '3', '[DONE]']);
    // Each attempt is in the log and in the metrics, under the name of the server.
    const attempts = server.log.filter(({ outcome, upstream }) => outcome && upstream);
    expect(attempts).toContainEqual(
      expect.objectContaining({ level: 'warn', model: 'cubic', upstream: 'cubic/2', outcome: 'broken', status: 500 }),
    );
    expect(attempts).toContainEqual(
      expect.objectContaining({
        level: 'error',
        upstream: 'cubic/3',
        outcome: 'misconfigured',
        message: expect.stringContaining('check its key_env or key_file in CUBBY_AI_MODELS_FILE'),
      }),
    );
    expect(await metricsOf(server)).toMatch(
      /cubby_ai_upstream_attempts_total\{upstream="cubic\/1",outcome="answered"\} 3/,
    );
    expect(JSON.stringify(server.log.filter(({ upstream }) => upstream))).not.toContain('127.0.0.1');
  });

  it('are asked only once a stream has not begun', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential } = await startModelsServer({
      models: [{ name: 'cubic', upstreams: [{ url: first!.url }, { url: second!.url, order: 2 }] }],
    });
    const chunk = { choices: [{ index: 0, delta: { role: 'assistant', content: 'half' }, finish_reason: null }] };
    first!.answer({ pieces: [`data: ${JSON.stringify(chunk)}\n\n`], pauseMs: 50, atEnd: 'hang-up' });
    const { events, text } = await askForStream(server, credential, 'hello');
    expect([text, events.at(-1).error.code]).toEqual(['half', 'server_overloaded']);
    expect(second!.requests).toEqual([]);
  });

  it('are left alone for all models that use them, once they keep failing', async () => {
    const [shared, other] = await numberedUpstreams(2);
    const { server, credential } = await startModelsServer({
      models: [
        {
          name: 'cubic',
          upstreams: [
            { name: 'shared', url: shared!.url },
            { url: other!.url, order: 2 },
          ],
        },
        { name: 'small', upstreams: [{ url: shared!.url }, { url: other!.url, order: 2 }] },
        { name: 'alone', upstreams: [{ url: shared!.url, model: 'another-one' }] },
      ],
    });
    shared!.answer({ status: 503, headers: { 'Retry-After': '60' } });
    expect(await askTimes(server, credential, 'cubic', 5)).toEqual(Array(5).fill('1'));
    expect(shared!.requests).toHaveLength(5);
    expect(server.log.filter(({ message }) => String(message).includes('keeps failing'))).toMatchObject([
      { upstream: 'shared' },
    ]);
    expect(await askTimes(server, credential, 'small', 2)).toEqual(['1', '1']);
    expect(shared!.requests).toHaveLength(5);
    const metrics = await metricsOf(server);
    expect(metrics).toMatch(/cubby_ai_upstream_up\{upstream="shared"\} 0/);
    expect(metrics).toMatch(/cubby_ai_upstream_up\{upstream="cubic\/2"\} 1/);
    expect(metrics).toMatch(/cubby_ai_upstream_up\{upstream="alone\/1"\} 1/);
    // Another model of the same server may work.
    shared!.answer({ text: '0' });
    expect(await askTimes(server, credential, 'alone', 1)).toEqual(['0']);
  });

  it('get their own keys, and no log and no metric has them', async () => {
    const [first, second] = await numberedUpstreams(2);
    const { server, credential } = await startModelsServer(
      {
        models: [
          {
            name: 'cubic',
            upstreams: [
              { url: first!.url, key_env: 'KEY_FIRST' },
              { url: second!.url, order: 2 },
            ],
          },
        ],
      },
      { env: { KEY_FIRST: 'sk-first' } },
    );
    first!.answer({ status: 500 });
    await askTimes(server, credential, 'cubic', 1);
    expect([first, second].map((one) => one!.requests[0]!.headers.authorization)).toEqual([
      'Bearer sk-first',
      undefined,
    ]);
    expect(JSON.stringify(server.log) + (await metricsOf(server))).not.toContain('sk-first');
  });
});
