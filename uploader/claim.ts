import type { Job } from './job.ts';

/** The exclusive right of one upload to use a record. */
interface Claim {
  release(): void;
}

/** Keys in use in this page or program, for each store. */
const inUse = new WeakMap<object, Set<string>>();

/**
 * Claims the record of an upload. Two uploads that shared a record would overwrite each other's progress.
 *
 * @returns undefined while another upload of the same file to the same destination holds the record, in any page of
 * this origin
 */
export async function claimRecord({ resume }: Job): Promise<Claim | undefined> {
  if (!resume) return undefined;
  const { place, key } = resume;
  const keys = inUse.get(place) ?? new Set();
  inUse.set(place, keys);
  if (keys.has(key)) return undefined;
  keys.add(key);
  const letGo = await lockAmongPages(key);
  if (!letGo) keys.delete(key);
  return letGo && { release: () => (letGo(), void keys.delete(key)) };
}

/** Node has the same locks, but its processes share no store. */
function lockAmongPages(key: string): Promise<(() => void) | undefined> {
  const locks = typeof indexedDB === 'undefined' ? undefined : globalThis.navigator?.locks;
  const none = () => {};
  if (!locks) return Promise.resolve(none);
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) => (lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined));
    // A frame without an origin has no locks, and shares its records with no other page.
    locks.request(`cubby-upload ${key}`, { ifAvailable: true }, hold).catch(() => resolve(none));
  });
}
