import { describe, expect, it } from 'vitest';

import { aheadText, countText, instantText, sizeText } from '#server/pages/formats.ts';
import { shownName } from '#server/pages/shown-name.ts';
import { messagesIn } from '#server/pages/messages/messages.ts';

/** Replaces the spaces that do not break, which Intl writes. */
const plain = (text: string) => text.replace(/\s/gu, ' ');

describe('sizeText()', () => {
  it.each([
    [0, 'en-GB', '0 bytes'],
    [1, 'en-GB', '1 byte'],
    [1023, 'es', '1023 bytes'],
    [1024, 'en-GB', '1 kB'],
    [1_918_000, 'en-GB', '1.8 MB'],
    [1_918_000, 'pt-BR', '1,8 MB'],
    [1024 ** 2 - 1, 'en-GB', '1 MB'],
    [10 * 1024 ** 3, 'es', '10 GB'],
    [5000 * 1024 ** 3, 'en-GB', '5,000 GB'],
  ])('writes %i bytes in %s as %s', (sizeBytes, locale, words) => {
    expect(plain(sizeText(sizeBytes, locale))).toBe(words);
  });
});

describe('times', () => {
  it.each([
    [5 * 86_400_000 + 1, 'in 5 days', 'em 5 dias', 'dentro de 5 días'],
    [47 * 3_600_000, 'in 47 hours', 'em 47 horas', 'dentro de 47 horas'],
    [119 * 60_000, 'in 119 minutes', 'em 119 minutos', 'dentro de 119 minutos'],
    [1999, 'in 1 second', 'em 1 segundo', 'dentro de 1 segundo'],
    [-5, 'in 1 second', 'em 1 segundo', 'dentro de 1 segundo'],
  ])('%i ms ahead are rounded down', (byMs, en, pt, es) => {
    expect([aheadText(byMs, 'en-GB'), aheadText(byMs, 'pt-BR'), aheadText(byMs, 'es')]).toEqual([en, pt, es]);
  });

  it('are written in UTC, in each language', () => {
    const at = Date.UTC(2026, 3, 21, 9, 31);
    expect(
      (['en', 'pt', 'es'] as const).map((language) => plain(instantText(at, messagesIn(language).locale))),
    ).toEqual(['21 April 2026 at 09:31', '21 de abril de 2026 às 09:31', '21 de abril de 2026 a las 9:31']);
  });
});

describe('countText()', () => {
  it('uses the plural form for the count in each language', () => {
    const left = (count: number) =>
      (['en', 'pt', 'es'] as const).map((language) =>
        countText(count, messagesIn(language).landing.downloadsLeft, messagesIn(language).locale),
      );
    expect(left(1)).toEqual(['1 left', 'resta 1', 'queda 1']);
    expect(left(2)).toEqual(['2 left', 'restam 2', 'quedan 2']);
    expect(left(10_000)).toEqual(['10,000 left', 'restam 10.000', 'quedan 10.000']);
  });
});

describe('shownName()', () => {
  it('removes control and direction characters, and keeps joined emoji', () => {
    expect(shownName('photo\u202egpj.exe\u0000\n\u2066\u200f')).toBe('photogpj.exe');
    expect(shownName('👩‍👩‍👧‍👦 חוזה.pdf')).toBe('👩‍👩‍👧‍👦 חוזה.pdf');
    expect(shownName('half \ud83d')).toBe('half \ufffd');
  });
});
