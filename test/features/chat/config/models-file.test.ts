import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkConfig } from '#server/config/config.ts';
import { changesOf } from '#server/features/chat/config/model-changes.ts';
import type { ConfiguredModels } from '#server/features/chat/config/models.ts';
import { writeModelsFile, type ModelsText } from '#test/support/models.ts';

const url = 'http://127.0.0.1:1/v1';
const one = { url };

/** Checks a file, with some keys in the environment. */
function check(models: ModelsText | string, { name, env = {} }: { name?: string; env?: object } = {}) {
  const file = writeModelsFile(models, name);
  const { config, problems, settings } = checkConfig({
    CUBBY_AI_MODELS_FILE: file.path,
    KEY_A: 'sk-a',
    SPACED: 'sk a',
    EMPTY: ' ',
    ...env,
  });
  const shown = settings.find((setting) => setting.name === 'CUBBY_AI_MODELS_FILE')!.value;
  return {
    file,
    ai: config?.ai,
    problems: problems.map((problem) => problem.replace('CUBBY_AI_MODELS_FILE: ', '')),
    shown,
  };
}

const withModels = (...models: readonly object[]): ModelsText => ({ models });
const withUpstreams = (...upstreams: readonly object[]): ModelsText => withModels({ name: 'cubic', upstreams });

describe('the file of models', () => {
  it('is read as TOML, with keys from variables and files', () => {
    const text = `
      default = "small"
      unknown_models = "reject"

      [[models]]
      name = "small"
      aliases = ["gpt-4o-mini", "openai/gpt-5 mini", "模型"]

      [[models.upstreams]]
      name = "gpu-1"
      url = "http://127.0.0.1:8000/v1/"
      model = "Qwen/Qwen3-8B"
      weight = 3

      [[models.upstreams]]
      url = "https://llm.example.com/v1"
      model = "qwen3"
      key_env = "KEY_A"
      order = 2

      [[models]]
      name = "other"
      [[models.upstreams]]
      url = "http://127.0.0.1:8000/v1"
      model = "Qwen/Qwen3-8B"
    `;
    const { ai, problems, shown, file } = check(text);
    expect(problems).toEqual([]);
    const gpu = { name: 'gpu-1', url: 'http://127.0.0.1:8000/v1', key: undefined, model: 'Qwen/Qwen3-8B', order: 1 };
    expect(ai!.modelsFile!.models).toEqual({
      defaultName: 'small',
      rejectsUnknown: true,
      plans: {},
      redactions: [],
      models: [
        {
          name: 'small',
          aliases: ['gpt-4o-mini', 'openai/gpt-5 mini', '模型'],
          upstreams: [
            { ...gpu, weight: 3 },
            { name: 'small/2', url: 'https://llm.example.com/v1', key: 'sk-a', model: 'qwen3', order: 2, weight: 1 },
          ],
        },
        // The same server, so it has the same name.
        { name: 'other', aliases: [], upstreams: [{ ...gpu, weight: 1 }] },
      ],
    });
    expect(shown).toBe(`${file.path} (small, other)`);
  });

  it('is read as JSON by its name, with the path of a key from its folder', () => {
    const { file } = check(withUpstreams(one));
    writeFileSync(join(file.folder, 'key'), 'sk-file\n');
    file.write(withUpstreams({ ...one, key_file: 'key' }));
    const { config } = checkConfig({ CUBBY_AI_MODELS_FILE: file.path });
    expect(config!.ai.modelsFile!.models.models[0]!.upstreams[0]).toEqual({
      name: 'cubic/1',
      url,
      key: 'sk-file',
      model: 'default',
      order: 1,
      weight: 1,
    });
    // Windows editors write a byte order mark.
    file.write(`\uFEFF${JSON.stringify(withUpstreams(one))}`);
    expect(checkConfig({ CUBBY_AI_MODELS_FILE: file.path }).problems).toEqual([]);
  });

  const address = 'must be an http or https address such as http://127.0.0.1:11434/v1, without "?" and "#".';
  const names = '1 to 64 lower-case letters, digits and the signs . _ : -, such as small or qwen3:8b';
  const upstreamNames = '1 to 64 lower-case letters, digits and the signs . _ : -, such as gpu-1';
  const pattern =
    'must be a regular expression of JavaScript with the flag u, of up to 512 characters, that matches no empty text.';
  const table: ReadonlyArray<readonly [string, ModelsText, readonly string[]]> = [
    ['nothing', {}, ['models is missing. There must be at least one.']],
    ['no model', { models: [] }, ['models must have at least one entry.']],
    ['models that are no list', { models: {} }, ['models must be a list of tables. Got a table.']],
    ['a model that is no table', { models: ['small'] }, ['models[0] must be a table. Got a text.']],
    [
      'unknown fields',
      { model: [], ...withModels({ name: 'cubic', upstream: [], fallbacks: [], upstreams: [{ ...one, wieght: 1 }] }) },
      [
        'model is not known here. The fields are default, unknown_models, currency, models, embeddings, plans, ' +
          'redactions.',
        'models[0].upstreams[0].wieght is not known here. The fields are name, url, model, key_env, key_file, ' +
          'order, weight, structured_output.',
        'models[0].upstream is not known here. The fields are name, aliases, upstreams, prices.',
        'models[0].fallbacks is not known here. A fallback is an upstream with a higher order.',
      ],
    ],
    [
      'missing fields',
      withModels({ upstreams: [{}] }, { name: 'cubic' }),
      [
        `models[0].name is missing. It must be ${names}.`,
        `models[0].upstreams[0].url is missing. It ${address}`,
        'models[1].upstreams is missing. There must be at least one.',
      ],
    ],
    [
      'names that are not allowed',
      withModels(
        { name: 'Big', upstreams: [one] },
        { name: 'a/b', upstreams: [one] },
        { name: 7, upstreams: [one] },
        { name: '..', upstreams: [one] },
        { name: 'cubic', upstreams: [{ ...one, name: 'GPU' }] },
      ),
      [
        `models[0].name is "Big", but must be ${names}.`,
        `models[1].name is "a/b", but must be ${names}.`,
        `models[2].name must be ${names}. Got 7.`,
        `models[3].name is "..", but must be ${names}.`,
        `models[4].upstreams[0].name is "GPU", but must be ${upstreamNames}.`,
      ],
    ],
    [
      'names that are taken',
      withModels(
        { name: 'cubic', upstreams: [one] },
        { name: 'cubic', upstreams: [one] },
        { name: 'cubic-embeddings', upstreams: [one] },
      ),
      [
        'models[1].name is "cubic", which is already the name of models[0].',
        'models[2].name is "cubic-embeddings", which is already the name of the model for embeddings.',
      ],
    ],
    [
      'aliases that are taken or not allowed',
      withModels(
        { name: 'cubic', aliases: ['x', 'x', 'small', ' y', '', 'cubic'], upstreams: [one] },
        { name: 'small', aliases: ['x', 'a\nb', 'cubic-embeddings', 'z'.repeat(129)], upstreams: [one] },
      ),
      [
        'models[0].aliases[3] is " y", but must be 1 to 128 printable characters, without spaces at the ends.',
        'models[0].aliases[4] is "", but must be 1 to 128 printable characters, without spaces at the ends.',
        'models[0].aliases[1] is "x", which is already a name of models[0].',
        'models[0].aliases[2] is "small", which is already a name of models[1].',
        'models[0].aliases[5] is "cubic", which is already a name of models[0].',
        'models[1].aliases[1] is "a?b", but must be 1 to 128 printable characters, without spaces at the ends.',
        `models[1].aliases[3] is "${'z'.repeat(100)}", but must be 1 to 128 printable characters, without spaces ` +
          'at the ends.',
        'models[1].aliases[0] is "x", which is already a name of models[0].',
        'models[1].aliases[2] is "cubic-embeddings", which is already a name of the model for embeddings.',
      ],
    ],
    [
      'no default',
      withModels({ name: 'small', upstreams: [one] }),
      ['default is missing. Name the model that answers as cubic, or name one model cubic.'],
    ],
    [
      'a default that is not there',
      { default: 'large', ...withModels({ name: 'small', aliases: ['large'], upstreams: [one] }) },
      ['default is "large", which is not the name of a model in this file.'],
    ],
    [
      'a default beside cubic',
      { default: 'cubic', ...withUpstreams(one) },
      ['default cannot be set, because a model has the name cubic. Leave one of them out.'],
    ],
    [
      'redactions',
      {
        redactions: [
          { name: 'Card', pattern: '[' },
          { name: 'any', pattern: 'a*' },
          { pattern: 'a', flags: 'i' },
        ],
        ...withUpstreams(one),
      },
      [
        'redactions[0].name is "Card", but must be 1 to 32 lower-case letters, digits and the signs _ -, such as card.',
        `redactions[0].pattern ${pattern}`,
        `redactions[1].pattern ${pattern}`,
        'redactions[2].flags is not known here. The fields are name, pattern.',
        'redactions[2].name is missing. It must be 1 to 32 lower-case letters, digits and the signs _ -, such as card.',
      ],
    ],
    [
      'the limits of plans',
      {
        plans: { hobby: {}, pro: 5, standard: { context_tokens: 0, tools: '5', pace: 1 }, enterprise: { tools: 1025 } },
        ...withUpstreams(one),
      },
      [
        'plans.hobby is a plan without the AI gateway. Limits can be set for standard, pro and enterprise.',
        'plans.standard.pace is not known here. The fields are context_tokens, output_tokens, tools, messages, ' +
          'concurrent, pacing_seconds, cost_per_day.',
        'plans.standard.context_tokens must be a whole number from 1 to 2000000. Got 0.',
        'plans.standard.tools must be a whole number from 1 to 1024. Got a text.',
        'plans.pro must be a table. Got 5.',
        'plans.enterprise.tools must be a whole number from 1 to 1024. Got 1025.',
      ],
    ],
    [
      'what to do with unknown names',
      { unknown_models: 'refuse', ...withUpstreams(one) },
      ['unknown_models is "refuse", but must be "default" or "reject".'],
    ],
    [
      'addresses',
      withUpstreams(
        { url: 'ftp://x' },
        { url: 'http://me:sk-1@x/v1' },
        { url: 'http://x/v1?key=sk-1' },
        { url: 7 },
        { url: '' },
      ),
      [
        `models[0].upstreams[0].url ${address}`,
        'models[0].upstreams[1].url carries a user name or a password. Leave them out.',
        `models[0].upstreams[2].url ${address}`,
        `models[0].upstreams[3].url ${address} Got 7.`,
        `models[0].upstreams[4].url ${address}`,
      ],
    ],
    [
      'weights and orders',
      withUpstreams({ ...one, weight: 0, order: 'first' }, { url: 'http://b/v1', weight: 1.5, order: 101 }),
      [
        'models[0].upstreams[0].order must be a whole number from 1 to 100. Got a text.',
        'models[0].upstreams[0].weight must be a whole number from 1 to 1000. Got 0.',
        'models[0].upstreams[1].order must be a whole number from 1 to 100. Got 101.',
        'models[0].upstreams[1].weight must be a whole number from 1 to 1000. Got 1.5.',
      ],
    ],
    [
      'keys',
      withUpstreams(
        { ...one, key: 'sk-secret' },
        { ...one, key_env: 'NOT_SET' },
        { ...one, key_env: 'EMPTY' },
        { ...one, key_env: 'SPACED' },
        { ...one, key_env: 'CUBBY_MASTER_KEY' },
        { ...one, key_env: 'sk-secret' },
        { ...one, key_file: '/not/there' },
        { ...one, key_env: 'KEY_A', key_file: '/not/there' },
      ),
      [
        'models[0].upstreams[0].key must not be in this file. Name a variable with key_env, or a file with key_file.',
        'models[0].upstreams[1].key_env names the variable NOT_SET, which is not set.',
        'models[0].upstreams[2].key_env names the variable EMPTY, which is not set.',
        'models[0].upstreams[3].key_env must lead to a key: letters, digits and signs without spaces.',
        'models[0].upstreams[4].key_env must be the name of a variable such as OPENAI_API_KEY, which does not ' +
          'begin with CUBBY_.',
        'models[0].upstreams[5].key_env must be the name of a variable such as OPENAI_API_KEY, which does not ' +
          'begin with CUBBY_.',
        'models[0].upstreams[6].key_file must name a file that can be read (ENOENT).',
        'models[0].upstreams[7].key_file and key_env are both set. Keep one of them.',
        'models[0].upstreams[7].key_file must name a file that can be read (ENOENT).',
      ],
    ],
    [
      'servers that are the same',
      withModels(
        {
          name: 'cubic',
          upstreams: [
            { ...one, name: 'a' },
            { ...one, weight: 2 },
            { ...one, model: 'm', name: 'a' },
          ],
        },
        { name: 'small', upstreams: [{ ...one, name: 'b' }] },
      ),
      [
        'models[0].upstreams[2].name is "a", which another server, model or key already has in this file.',
        'models[1].upstreams[0].name is "b", but models[0].upstreams[0] is the same server, model and key with ' +
          'the name "a". Give both the same name.',
        'models[0].upstreams[1].url is the same server, model and key as models[0].upstreams[0]. Give that one ' +
          'more weight instead.',
      ],
    ],
    [
      'too many entries',
      withModels(
        ...Array.from({ length: 201 }, (_, at) => ({ name: at === 0 ? 'cubic' : `m${at}`, upstreams: [one] })),
      ),
      ['models has 201 entries, but may have at most 200.'],
    ],
  ];

  it.each(table)('says what to change about %s, with the place', (_about, models, expected) => {
    const { problems, shown } = check(models);
    expect(problems).toEqual(expected);
    expect(shown).toBeNull();
    expect(JSON.stringify(problems)).not.toMatch(/sk-|sk a/);
  });

  it.each([
    ['a.toml', 'models = [', /^line 1, column [0-9]+ is not valid TOML: /],
    ['b.toml', '[[models]]\nname = sk-secret\n', /^line 2, column 8 is not valid TOML: invalid value\.$/],
    ['c.json', '{"models":\n[sk-secret]}', /^(line 2, column 2|the file) is not valid JSON\.$/],
    ['d.json', '[]', /^the file must be an object with the field models\.$/],
    [
      'e.toml',
      `# ${'x'.repeat(300_000)}`,
      /^the file has 300002 bytes, but may have at most 65536\. A GGUF file belongs/,
    ],
    ['f.toml', `a = ${'['.repeat(5000)}`, /is not valid TOML: /],
  ])('says where %s cannot be read, and shows nothing of it', (name, text, expected) => {
    const { problems } = check(text, { name });
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(problems[0]).not.toContain('sk-');
  });

  it('must be there, and must be a file', () => {
    const path = '/not/there/models.toml';
    expect(checkConfig({ CUBBY_AI_MODELS_FILE: path }).problems).toEqual([
      `CUBBY_AI_MODELS_FILE: ${path} must be a file that can be read (ENOENT).`,
    ]);
    const { file } = check(withUpstreams(one));
    expect(checkConfig({ CUBBY_AI_MODELS_FILE: file.folder }).problems).toEqual([
      expect.stringContaining('(no regular file)'),
    ]);
  });

  it('is never waited for, nor are the files of its keys', () => {
    const { file } = check(withUpstreams(one));
    const pipe = join(file.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, '/dev/zero'])
      expect(checkConfig({ CUBBY_AI_MODELS_FILE: path }).problems).toEqual([
        `CUBBY_AI_MODELS_FILE: ${path} must be a file that can be read (no regular file).`,
      ]);
    writeFileSync(join(file.folder, 'long'), 'x'.repeat(8193));
    symlinkSync('loop', join(file.folder, 'loop'));
    file.write(withUpstreams(...['pipe', 'long', 'loop', '/dev/zero'].map((key_file) => ({ ...one, key_file }))));
    expect(checkConfig({ CUBBY_AI_MODELS_FILE: file.path }).problems).toEqual(
      ['no regular file', 'EFBIG', 'ELOOP', 'no regular file'].map(
        (why, at) =>
          `CUBBY_AI_MODELS_FILE: models[0].upstreams[${at}].key_file must name a file that can be read (${why}).`,
      ),
    );
  });

  it.each(['CUBBY_AI_UPSTREAM_URL', 'CUBBY_AI_MODEL_FILE'])('cannot be set beside %s', (name) => {
    const { problems, file } = check(withUpstreams(one));
    expect(problems).toEqual([]);
    const { problems: both } = checkConfig({
      CUBBY_AI_MODELS_FILE: file.path,
      [name]: name.endsWith('URL') ? 'http://127.0.0.1:1/v1' : file.path,
    });
    expect(both).toEqual([`CUBBY_AI_MODELS_FILE and ${name} are both set. Keep one of them.`]);
  });
});

describe('changesOf()', () => {
  const upstream = { name: 'a', url, key: 'sk-1', model: 'm', order: 1, weight: 1 };
  const small = { name: 'small', aliases: [], upstreams: [upstream] };
  const models: ConfiguredModels = {
    defaultName: 'small',
    rejectsUnknown: false,
    models: [small],
    plans: {},
    redactions: [],
  };

  it('names what changes, and shows no key and no address', () => {
    expect(changesOf(models, structuredClone(models))).toEqual({});
    const large = { name: 'large', aliases: [], upstreams: [{ ...upstream, name: 'b', url: 'http://b/v1' }] };
    const next = { ...models, defaultName: 'large', rejectsUnknown: true, models: [large] };
    expect(changesOf(models, next)).toEqual({
      added: ['large'],
      removed: ['small'],
      default: 'large',
      unknown_models: 'reject',
      added_upstreams: ['b'],
      removed_upstreams: ['a'],
    });
    const rotated = { ...small, upstreams: [{ ...upstream, key: 'sk-2' }] };
    expect(changesOf(models, { ...models, models: [rotated] })).toEqual({
      changed: ['small'],
      added_upstreams: ['a'],
      removed_upstreams: ['a'],
    });
    const redactions = [{ name: 'card', pattern: '[0-9]{16}' }];
    expect(changesOf(models, { ...models, redactions })).toEqual({ redactions: ['card'] });
    expect(changesOf({ ...models, redactions }, models)).toEqual({ redactions: [] });
    const weighted = { ...small, upstreams: [{ ...upstream, weight: 2 }] };
    expect(changesOf(models, { ...models, models: [weighted] })).toEqual({ changed: ['small'] });
  });
});
