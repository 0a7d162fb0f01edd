import { describe, expect, it } from 'vitest';

import { languageOf } from '#server/pages/language.ts';

describe('languageOf()', () => {
  it.each([
    ['no header', undefined, 'en'],
    ['an empty header', '', 'en'],
    ['a region of a language', 'pt-BR', 'pt'],
    ['another region of the language', 'pt-PT,pt;q=0.9', 'pt'],
    ['any case', 'ES-mx', 'es'],
    ['the highest weight, although it is not the first', 'en;q=0.5, es;q=0.9, pt;q=0.1', 'es'],
    ['equal weights, of which the first wins', 'es, pt', 'es'],
    ['an unsupported language before a supported one', 'de-DE,de;q=0.9,pt;q=0.8,en;q=0.7', 'pt'],
    ['unsupported languages only', 'de, fr;q=0.9', 'en'],
    ['spaces around everything', ' pt ; q=0.4 , es ; q = 0.6 ', 'es'],
    ['any language', '*', 'en'],
    ['any language but the named one', 'en;q=0, *', 'pt'],
    ['any language, with less weight than the named one', '*;q=0.1, es;q=0.2', 'es'],
    ['a weight of 0', 'pt;q=0, es;q=0.001', 'es'],
    ['only a weight of 0', 'en;q=0', 'en'],
    ['a language whose code starts like a supported one', 'enm, est;q=0.9, es;q=0.1', 'es'],
    ['malformed weights', 'pt;q=2, pt;q=x, pt;q=-1, es;q=0.1', 'es'],
    ['a malformed header', ';;;=,q,"\u0000",pt_BR', 'en'],
    ['a very long header', `${'de,'.repeat(5000)}pt`, 'en'],
  ] as const)('finds the language for %s', (_name, header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});
