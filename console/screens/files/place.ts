import { href } from '../../app/address.ts';

export const spaces = ['all', 'public', 'private'] as const;
/** Which files a list has: all, only public ones, or only private ones. Legacy files are in `all`. */
type Space = (typeof spaces)[number];

/** A folder of an account. The prefix is empty, or ends in `/`. */
export interface Place {
  readonly space: Space;
  readonly prefix: string;
}

/** Reads the segments of an address after `/console/files`. */
export function placeOf(rest: readonly string[]): Place {
  const [first, ...folders] = rest;
  const space = spaces.find((one) => one === first) ?? 'all';
  return { space, prefix: folders.map((folder) => `${folder}/`).join('') };
}

export function hrefOf({ space, prefix }: Place, query: Readonly<Record<string, string | undefined>> = {}): string {
  return href(['files', space, ...prefix.split('/').filter(Boolean)], query);
}

/** Returns the folder above; undefined at the top. */
export function above({ space, prefix }: Place): Place | undefined {
  if (prefix === '') return undefined;
  return { space, prefix: prefix.replace(/[^/]+\/$/, '') };
}
