import { effect, signal } from '@preact/signals';

import type { FirstMessages, Messages } from '../messages/en.ts';
import type { FurtherMessages } from '../messages/en/further.ts';
import { language, type Language } from './settings.ts';

type Loading<T> = Readonly<Record<Language, () => Promise<T>>>;

const first: Loading<{ readonly messages: FirstMessages }> = {
  en: () => import('../messages/en.ts'),
  pt: () => import('../messages/pt.ts'),
  es: () => import('../messages/es.ts'),
  ar: () => import('../messages/ar.ts'),
};

/** The messages of the screens that are not shown first. They are loaded when one of those is. */
const others: Loading<{ readonly further: FurtherMessages }> = {
  en: () => import('../messages/en/further.ts'),
  pt: () => import('../messages/pt/further.ts'),
  es: () => import('../messages/es/further.ts'),
  ar: () => import('../messages/ar/further.ts'),
};

const loaded = signal<FirstMessages | Messages | undefined>(undefined);
let needsFurther = false;

async function load(chosen: Language): Promise<void> {
  const [{ messages }, further] = await Promise.all([first[chosen](), needsFurther ? others[chosen]() : undefined]);
  if (language.peek() === chosen) loaded.value = { ...messages, ...further?.further };
}

/** Loads the messages of the chosen language, now and whenever another one is chosen. */
export async function loadMessages(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    effect(() => {
      load(language.value).then(resolve, reject);
    });
  });
}

/** Loads the messages of all other screens too. */
export async function loadFurtherMessages(): Promise<void> {
  if (needsFurther && 'shares' in (loaded.peek() ?? {})) return;
  needsFurther = true;
  await load(language.peek());
}

/** Returns the messages of the chosen language. A component that calls it follows the language. */
export function messages(): Messages {
  if (!loaded.value) throw new Error('The messages are read before they are loaded.');
  // Screens are shown once their messages are there.
  return loaded.value as Messages;
}
