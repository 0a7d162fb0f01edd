import { afterEach, describe, expect, it } from 'vitest';

import { chosenLanguage } from '#console/app/languages.ts';
import { language, timeZone } from '#console/app/settings.ts';
import { formatExactTime, formatRelative, formatSize, formatTime } from '#console/format.ts';

afterEach(() => {
  language.value = 'en';
  timeZone.value = undefined;
});

describe('formats', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [150 * 1024, '150 KiB'],
    [10_737_418_240, '10 GiB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it('follow language and time zone', () => {
    timeZone.value = 'America/Sao_Paulo';
    language.value = 'pt';
    expect(formatSize(1536)).toBe('1,5 KiB');
    expect(formatTime('2026-04-21T01:30:00Z')).toContain('20 de abr. de 2026');
    expect(formatExactTime('2026-04-21T01:30:00Z')).toContain('22:30:00');
  });

  it.each([
    [-30, 'now'],
    [-90, '1 minute ago'],
    [-3 * 86_400, '3 days ago'],
    [2 * 3600, 'in 2 hours'],
  ])('%d seconds from now is %s', (seconds, text) => {
    const now = Date.parse('2026-04-21T09:30:00Z');
    expect(formatRelative(now + seconds * 1000, now)).toBe(text);
  });

  it('take the first language of the browser that has words, unless one was chosen', () => {
    expect(chosenLanguage(undefined, ['fr-FR', 'pt-BR', 'en'])).toBe('pt');
    expect(chosenLanguage('ar', ['pt-BR'])).toBe('ar');
    expect(chosenLanguage(undefined, ['fr'])).toBe('en');
  });
});
