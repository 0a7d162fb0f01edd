import type { Mutant } from './mutations.ts';

/** Mutants that no test can or need notice, by file and by what they change, each with the reason. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server/stores/encrypted/root-key-ring.ts': {
    'if (!key) return; → nothing':
      'a start without the key is refused if there are root keys, so there is nothing to load',
  },
  'server/stores/encrypted/sealed-source.ts': {
    'if (this.#isOver) return; → nothing': 'its consumer has gone, and takes nothing of what it would still read',
  },
  'server/stores/system/key-ring.ts': {
    'if (held.length === 1) return [current()]; → nothing': 'a shortcut: the lines below give the same for one key',
  },
};

/** Returns why a mutant may survive. */
export function explained({ file, from, to }: Mutant): string | undefined {
  return reasons[file]?.[`${from} → ${to}`];
}
