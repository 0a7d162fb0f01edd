import { effect, signal } from '@preact/signals';

import { kept, keep } from './kept.ts';
import { chosenLanguage, type Language } from './languages.ts';

export { languages, type Language } from './languages.ts';
export type Theme = 'auto' | 'light' | 'dark';
export type Density = 'roomy' | 'compact';

export const language = signal<Language>(chosenLanguage(kept('language'), globalThis.navigator?.languages ?? []));
export const theme = signal<Theme>(isTheme(kept('theme')) ? (kept('theme') as Theme) : 'auto');
export const density = signal<Density>(kept('density') === 'compact' ? 'compact' : 'roomy');
/** The name of a time zone; undefined for the browser's own. */
export const timeZone = signal<string | undefined>(kept('time-zone'));

/** Applies the settings to the page, and keeps them. */
export function startSettings(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr';
  });
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    keep('theme', theme.value === 'auto' ? undefined : theme.value);
  });
  effect(() => {
    document.documentElement.dataset.density = density.value;
    keep('density', density.value === 'roomy' ? undefined : density.value);
  });
  effect(() => keep('time-zone', timeZone.value));
}

/** Sets everything back to what a new browser has, also the language. */
export function forgetSettings(): void {
  theme.value = 'auto';
  density.value = 'roomy';
  timeZone.value = undefined;
  keep('language', undefined);
  language.value = chosenLanguage(undefined, navigator.languages);
}

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  keep('language', chosen);
}

/** Returns the language as the browser writes it, with its country: dates and times differ between countries. */
export function locale(): string {
  const chosen: string = language.value;
  return (globalThis.navigator?.languages ?? []).find((tag) => tag.slice(0, 2).toLowerCase() === chosen) ?? chosen;
}

function isTheme(value: string | undefined): value is Theme {
  return value === 'auto' || value === 'light' || value === 'dark';
}
