import { describe, expect, it } from 'vitest';

import { isUsable, withOwn } from '#openapi/site/theme/own-samples.ts';

const example = 'http://localhost:7400';
const sample = `curl '${example}/v1/objects' -H 'Authorization: Bearer YOUR_KEY' # ${example}`;

describe('withOwn()', () => {
  it('puts the address and the key in every place', () => {
    expect(withOwn(sample, { address: 'https://a.example', key: 'cbk_1' }, example)).toBe(
      "curl 'https://a.example/v1/objects' -H 'Authorization: Bearer cbk_1' # https://a.example",
    );
  });

  it.each(['$&', '$1', '$$', '$`x', "$'", 'a$<b>', '$0'])('takes %s literally', (odd) => {
    const text = odd.replaceAll(/["'`]/g, '');
    const shown = withOwn(sample, { address: `https://${text}`, key: text }, example);
    expect(shown).toBe(`curl 'https://${text}/v1/objects' -H 'Authorization: Bearer ${text}' # https://${text}`);
  });

  it('leaves out values that would end the text of the sample', () => {
    for (const odd of [`'; rm -rf ~ #`, '"', '`id`', 'a b', 'a\\', 'a\nb', 'schlüssel', '\u2028']) {
      expect(isUsable(odd), odd).toBe(false);
      expect(withOwn(sample, { address: odd, key: odd }, example)).toBe(sample);
    }
  });

  it('never replaces within a value of the reader', () => {
    const shown = withOwn(sample, { address: 'https://YOUR_KEY.example', key: `x-${example}` }, example);
    expect(shown).toBe(
      `curl 'https://YOUR_KEY.example/v1/objects' -H 'Authorization: Bearer x-${example}' # https://YOUR_KEY.example`,
    );
  });

  it('leaves the sample as it is without values', () => {
    expect(withOwn(sample, { address: '', key: '' }, example)).toBe(sample);
  });
});
