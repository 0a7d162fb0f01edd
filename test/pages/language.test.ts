import { describe, expect, it } from 'vitest';

import { languageOf } from '#server/pages/language.ts';

describe('languageOf()', () => {
  it.each([
    ['no header', undefined, 'en'],
    ['an empty one', '', 'en'],
    ['a region of a language', 'pt-BR', 'pt'],
    ['another region of it', 'pt-PT,pt;q=0.9', 'pt'],
    ['any case', 'ES-mx', 'es'],
    ['the highest weight, not the first', 'en;q=0.5, es;q=0.9, pt;q=0.1', 'es'],
    ['of equals the one named first', 'es, pt', 'es'],
    ['a language that no page speaks, then one that they do', 'de-DE,de;q=0.9,pt;q=0.8,en;q=0.7', 'pt'],
    ['languages that no page speaks', 'de, fr;q=0.9', 'en'],
    ['spaces around everything', ' pt ; q=0.4 , es ; q = 0.6 ', 'es'],
    ['any language', '*', 'en'],
    ['any but those that are named', 'en;q=0, *', 'pt'],
    ['any, with less weight than one that is named', '*;q=0.1, es;q=0.2', 'es'],
    ['a weight of nothing', 'pt;q=0, es;q=0.001', 'es'],
    ['nothing but refusals', 'en;q=0', 'en'],
    ['a language that begins as one that pages speak', 'enm, est;q=0.9, es;q=0.1', 'es'],
    ['weights that are none', 'pt;q=2, pt;q=x, pt;q=-1, es;q=0.1', 'es'],
    ['something else altogether', ';;;=,q,"\u0000",pt_BR', 'en'],
    ['a very long header', `${'de,'.repeat(5000)}pt`, 'en'],
  ] as const)('finds the language for %s', (_name, header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});
