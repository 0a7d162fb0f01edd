const prefix = 'cubby.';

/** Returns what this browser keeps under a name. Nothing is kept if it forbids that. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns the names and values of everything that the console keeps in this browser. */
export function allKept(): ReadonlyArray<readonly [name: string, value: string]> {
  try {
    return Object.entries(localStorage)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), String(value)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  } catch {
    return [];
  }
}

/** Keeps a value in this browser, or removes it. Never a secret. */
export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // The browser forbids it, so the value lasts only as long as the page.
  }
}
