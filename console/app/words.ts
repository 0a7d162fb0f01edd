import { effect, signal } from '@preact/signals';

import type { Words } from '../words/en.ts';
import { language, type Language } from './settings.ts';

const files: Readonly<Record<Language, () => Promise<{ readonly words: Words }>>> = {
  en: () => import('../words/en.ts'),
  pt: () => import('../words/pt.ts'),
  es: () => import('../words/es.ts'),
  ar: () => import('../words/ar.ts'),
};

const loaded = signal<Words | undefined>(undefined);

/** Loads the words of the chosen language, now and whenever another one is chosen. */
export async function loadWords(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    effect(() => {
      const chosen = language.value;
      files[chosen]().then(({ words }) => {
        if (language.peek() === chosen) loaded.value = words;
        resolve();
      }, reject);
    });
  });
}

/** Returns the words of the chosen language. A component that calls it follows the language. */
export function words(): Words {
  if (!loaded.value) throw new Error('The words are read before they are loaded.');
  return loaded.value;
}
