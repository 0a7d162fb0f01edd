const prefix = 'cubby.';

/** Returns what this browser keeps under a name. Nothing is kept if it forbids that. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
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
