import { withBase } from 'vitepress';

import type { TryCall } from '../../build/try-calls.ts';

/** The calls of each tag's page, loaded once when the reader opens the first of them. */
const loaded = new Map<string, Promise<Readonly<Record<string, TryCall>>>>();

/** @throws words for the reader, when they cannot be loaded */
export function callsOf(tag: string): Promise<Readonly<Record<string, TryCall>>> {
  const known =
    loaded.get(tag) ??
    fetch(withBase(`/try/${tag}.json`)).then((response) => {
      if (!response.ok) throw new Error(`The calls of this page could not be loaded (${response.status}).`);
      return response.json() as Promise<Record<string, TryCall>>;
    });
  loaded.set(tag, known);
  known.catch(() => loaded.delete(tag));
  return known;
}
