import { describe, expect, it } from 'vitest';

import { printPaths } from '#openapi/codegen/print-paths.ts';

describe('printPaths()', () => {
  const addresses = (text: string) => [...text.matchAll(/^(\/\S*): /gm)].map(([, path]) => path);
  const before = printPaths(['v1/jobs.yaml', 'v1/apps.yaml'], '');

  it('lists each file under its address', () => {
    expect(before.split('\n').slice(1)).toEqual([
      "/v1/apps: { $ref: 'paths/v1/apps.yaml' }",
      "/v1/jobs: { $ref: 'paths/v1/jobs.yaml' }",
      '',
    ]);
  });

  it('keeps the order that it finds, puts a new address behind its nearest relative, and removes what is gone', () => {
    const moved = `${before.split('\n').toReversed().join('\n')}\n/v1/gone: { $ref: 'paths/v1/gone.yaml' }\n`;
    const files = ['v1/apps.yaml', 'v1/jobs.yaml', 'v1/jobs/{id}.yaml', 'v1/jobs/{id}/cancel.yaml', 'livez.yaml'];
    expect(addresses(printPaths(files, moved))).toEqual([
      '/v1/jobs',
      '/v1/jobs/{id}',
      '/v1/jobs/{id}/cancel',
      '/v1/apps',
      '/livez',
    ]);
    expect(printPaths(files, printPaths(files, moved))).toBe(printPaths(files, moved));
  });
});
