/** Returns `/a/{b-c}` as `/a/:"b-c"`, which path-to-regexp 8 (Express 5) reads. */
export function expressPath(path: string): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => (/^\w+$/.test(name) ? `:${name}` : `:"${name}"`));
}

/** Returns an order for paths: static segments before parameters, so that `/a/list` is registered ahead of `/a/:id`. */
export function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
}
