import { describe, expect, it } from 'vitest';

import { checkConfig } from '#server/config/config.ts';
import { changesOf } from '#server/features/chat/config/model-changes.ts';
import { writeModelsFile } from '#test/support/models.ts';

const upstreams = [{ url: 'http://127.0.0.1:1/v1' }];

function check(file: object | string) {
  const { path } = writeModelsFile(file as string);
  const { config, problems } = checkConfig({ CUBBY_AI_MODELS_FILE: path });
  return {
    models: config?.ai.modelsFile?.models,
    problems: problems.map((problem) => problem.replace('CUBBY_AI_MODELS_FILE: ', '')),
  };
}

const priced = (prices: unknown, more: object = { currency: 'USD' }) => ({
  ...more,
  models: [{ name: 'cubic', upstreams, prices }],
});

describe('prices in the file of models', () => {
  it('are those of a million tokens, to six decimals. Cached input costs the same as other input by default', () => {
    const { models, problems } = check(`
      currency = "EUR"
      [[models]]
      name = "cubic"
      [models.prices]
      input = 0.01875
      cached_input = 0.000001
      output = 100_000
      [[models.upstreams]]
      url = "http://127.0.0.1:1/v1"

      [[models]]
      name = "other"
      prices = { input = 2, output = 0 }
      [[models.upstreams]]
      url = "http://127.0.0.1:1/v1"

      [embeddings.prices]
      input = 0.02
    `);
    expect(problems).toEqual([]);
    expect(models).toMatchObject({
      currency: 'EUR',
      models: [
        { prices: { input: 0.01875, cachedInput: 0.000001, output: 100_000 } },
        { prices: { input: 2, cachedInput: 2, output: 0 } },
      ],
      embeddingPrices: { input: 0.02, cachedInput: 0.02, output: 0 },
    });
  });

  const range = 'must be a number from 0 to 100000 with at most 6 decimals.';
  const missing = 'is missing. It is the price of a million tokens, and may be 0.';
  it.each([
    [
      priced({ input: 1, output: 1 }, {}),
      ['currency is missing, but models[0].prices is set. It must be three capital letters such as USD.'],
    ],
    [priced(undefined, { currency: 'usd' }), ['currency is "usd", but must be three capital letters such as USD.']],
    [priced(1), ['models[0].prices must be a table. Got 1.']],
    [priced({}), [`models[0].prices.input ${missing}`, `models[0].prices.output ${missing}`]],
    [
      priced({ input: -1, cached_input: 0.0000001, output: '1', per: 1000 }),
      [
        'models[0].prices.per is not known here. The fields are input, cached_input, output.',
        `models[0].prices.input ${range} Got -1.`,
        `models[0].prices.output ${range} Got a text.`,
        `models[0].prices.cached_input ${range} Got 1e-7.`,
      ],
    ],
    [priced({ input: 100_001, output: 1 }), [`models[0].prices.input ${range} Got 100001.`]],
    [
      { ...priced(undefined, {}), embeddings: { url: 'x', prices: { input: 1, output: 1 } } },
      [
        'currency is missing, but embeddings.prices is set. It must be three capital letters such as USD.',
        'embeddings.url is not known here. The server of embeddings is in CUBBY_AI_EMBEDDINGS_URL.',
        'embeddings.prices.output is not known here. The fields are input.',
      ],
    ],
  ])('%j is refused', (file, expected) => {
    expect(check(file).problems).toEqual(expected);
  });

  it('are among what a new file changes', () => {
    const of = (file: object) => check(file).models!;
    const before = of(priced({ input: 1, output: 1 }));
    const after = of({ ...priced({ input: 2, output: 1 }, { currency: 'EUR' }), embeddings: { prices: { input: 1 } } });
    expect(changesOf(before, after)).toEqual({ changed: ['cubic'], currency: 'EUR', embeddings: 'prices' });
  });
});
