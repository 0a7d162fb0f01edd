import { effect, signal } from '@preact/signals';

import type { FirstWords, Words } from '../words/en.ts';
import type { FurtherWords } from '../words/en/further.ts';
import { language, type Language } from './settings.ts';

type Loading<T> = Readonly<Record<Language, () => Promise<T>>>;

const first: Loading<{ readonly words: FirstWords }> = {
  en: () => import('../words/en.ts'),
  pt: () => import('../words/pt.ts'),
  es: () => import('../words/es.ts'),
  ar: () => import('../words/ar.ts'),
};

/** The words of the screens that are not shown first. They are loaded when one of those is. */
const others: Loading<{ readonly further: FurtherWords }> = {
  en: () => import('../words/en/further.ts'),
  pt: () => import('../words/pt/further.ts'),
  es: () => import('../words/es/further.ts'),
  ar: () => import('../words/ar/further.ts'),
};

const loaded = signal<FirstWords | Words | undefined>(undefined);
let needsFurther = false;

async function load(chosen: Language): Promise<void> {
  const [{ words }, further] = await Promise.all([first[chosen](), needsFurther ? others[chosen]() : undefined]);
  if (language.peek() === chosen) loaded.value = { ...words, ...further?.further };
}

/** Loads the words of the chosen language, now and whenever another one is chosen. */
export async function loadWords(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    effect(() => {
      load(language.value).then(resolve, reject);
    });
  });
}

/** Loads the words of all other screens too. */
export async function loadFurtherWords(): Promise<void> {
  if (needsFurther && 'shares' in (loaded.peek() ?? {})) return;
  needsFurther = true;
  await load(language.peek());
}

/** Returns the words of the chosen language. A component that calls it follows the language. */
export function words(): Words {
  if (!loaded.value) throw new Error('The words are read before they are loaded.');
  // Screens are shown once their words are there.
  return loaded.value as Words;
}
