import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { requestedVariant, asksForVariant } from '#server/features/images/requested-variant.ts';
import { parsePreset } from '#server/features/images/preset.ts';
import { imageSigningKey } from '#server/features/images/signing-key.ts';
import { formatVariant } from '#server/features/images/variant.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

const secrets = masterSecrets(Buffer.alloc(32, 1));
const former = masterSecrets(Buffer.alloc(32, 2));
const [accountId, path] = ['a1', '/a1/photo.jpg'];
const variant = 'w=20&fit=contain&f=auto';

const valuesOf = (query: string) => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) values.set(name, [...(values.get(name) ?? []), value]);
  return values;
};

/** Asks for a variant of the file. Returns the text of the one that it gets. */
async function asked(query: string, signers = [secrets]): Promise<string> {
  const presetsOf = async () => new Map([parsePreset('thumb:w=100')!]);
  const deps = { secrets: { signers: () => signers }, presetsOf };
  return formatVariant(await requestedVariant(deps, { accountId, path, parameters: valuesOf(query) }));
}

const signed = (text: string, { by = accountId, at = path, key = secrets } = {}) =>
  createHmac('sha256', imageSigningKey(key, by)).update(`${at}?${text}`).digest('base64url');

describe('requestedVariant()', () => {
  it('is one that the account has signed, with its present key or a former one', async () => {
    expect(await asked(`w=20&sig=${signed(variant)}`)).toBe(variant);
    expect(await asked(`w=20&sig=${signed(variant, { key: former })}`, [secrets, former])).toBe(variant);
  });

  it.each([
    ['no signature', ''],
    ['that of another variant', signed('w=21&fit=contain&f=auto')],
    ['that of another file', signed(variant, { at: '/a1/other.jpg' })],
    ['that of another account', signed(variant, { by: 'a2' })],
    ['that of a key which no longer signs', signed(variant, { key: former })],
    ['a part of one', signed(variant).slice(0, -1)],
    ['one and more', `${signed(variant)}A`],
    ['another text of its length', 'A'.repeat(43)],
    ['other letters of its length', 'é'.repeat(43)],
  ])('is refused with %s', async (_, sig) => {
    await expect(asked(`w=20${sig && `&sig=${sig}`}`)).rejects.toMatchObject({ code: 'IMAGE_SIGNATURE_REQUIRED' });
  });

  it('is a preset, by its name or by its fields', async () => {
    for (const query of ['preset=thumb', 'w=100', 'w=100&sig=wrong', 'preset=thumb&sig=wrong'])
      expect(await asked(query), query).toBe('w=100&fit=contain&f=auto');
  });

  it.each(['preset=other', 'preset=thumb&w=100', 'preset=', 'w=20&w=20', 'w=20&sig=', 'w=0', 'f=png'])(
    'is refused as a variant: %s',
    async (query) => {
      await expect(asked(query)).rejects.toMatchObject({ code: 'INVALID_IMAGE_VARIANT' });
    },
  );
});

it('asksForVariant() is true with any of their parameters, but not with a signature alone', () => {
  for (const name of ['w', 'h', 'fit', 'q', 'f', 'preset'])
    expect(asksForVariant(valuesOf(`${name}=1`)), name).toBe(true);
  for (const query of ['', 'sig=a', 'v=1', 'width=3']) expect(asksForVariant(valuesOf(query)), query).toBe(false);
});
