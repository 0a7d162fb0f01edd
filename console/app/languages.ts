export const languages = { en: 'English', pt: 'Português', es: 'Español', ar: 'العربية' } as const;
export type Language = keyof typeof languages;

/** Returns the language that was chosen earlier, else the first one of the browser that there are messages for. */
export function chosenLanguage(earlier: string | undefined, browser: readonly string[]): Language {
  const wished = [earlier ?? '', ...browser].map((tag) => tag.slice(0, 2).toLowerCase());
  return wished.find((tag): tag is Language => tag in languages) ?? 'en';
}
