import type { Draft } from '../draft.ts';
import type { World } from '../world.ts';

/** Changes the path of a request. Returns in which way. */
export function breakPath(draft: Draft, { random }: World): string {
  const change = random.pick<readonly [string, (path: string) => string]>([
    ['slash at end', (path) => `${path}/`],
    ['double slash', (path) => `/${path}`],
    ['dot segment', (path) => `/x/..${path}`],
    ['encoded letter', (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
    [
      'upper case',
      (path) => path.toUpperCase().replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${name.toLowerCase()}}`),
    ],
    ['nul', (path) => `${path}%00`],
    ['bad encoding', (path) => `${path}%zz`],
    ['encoded slash', (path) => path.replace(/(.)\//, '$1%2F')],
    ['longer', (path) => `${path}/x/y`],
    ['very long', (path) => `${path}/${'x'.repeat(6000)}`],
    ['shorter', (path) => path.replace(/\/[^/]*$/, '') || '/'],
    ['semicolon', (path) => `${path};x=y`],
    ['fragment', (path) => `${path}#x`],
    ['not utf-8', (path) => `${path}%ff%fe`],
    ['raw high bytes', (path) => `${path}é`],
    [
      'elsewhere',
      () =>
        random.pick([
          '/',
          '/favicon.ico',
          '/v1',
          '/v2/ai/x',
          '/v2/git/x',
          '/v2/git/webhook/',
          '/docs/errors/X',
          '/openapi.json',
          '/.env',
          '/v1/../../etc/passwd',
          '/s/',
          '/d/',
          '/private/',
          '/v2/operator',
          '//',
          '/%',
          '/*',
        ]),
    ],
  ]);
  draft.path = change[1](draft.path);
  return change[0];
}
