import { useMemo, useState } from 'preact/hooks';

import type { Entry } from './entry.ts';

/** The chosen rows of a list, also those that are out of view. */
export interface Selection {
  readonly size: number;
  readonly entries: readonly Entry[];
  has(entry: Entry): boolean;
  toggle(entry: Entry): void;
  /** Chooses these and no others. */
  only(entries: readonly Entry[]): void;
  add(entries: readonly Entry[]): void;
  clear(): void;
}

/** @param key the list: another one begins with nothing chosen */
export function useSelection(key: string): Selection {
  const [{ of, chosen }, set] = useState({ of: key, chosen: new Map<string, Entry>() });
  const current = of === key ? chosen : new Map<string, Entry>();
  return useMemo(() => {
    const change = (next: Map<string, Entry>) => set({ of: key, chosen: next });
    const keyed = (entries: readonly Entry[]) => entries.map((entry) => [entry.key, entry] as const);
    return {
      size: current.size,
      entries: [...current.values()],
      has: (entry) => current.has(entry.key),
      toggle(entry) {
        const next = new Map(current);
        if (!next.delete(entry.key)) next.set(entry.key, entry);
        change(next);
      },
      only: (entries) => change(new Map(keyed(entries))),
      add: (entries) => change(new Map([...current, ...keyed(entries)])),
      clear: () => change(new Map()),
    };
  }, [key, current]);
}
