import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import { importsOf, root, sourceFiles } from './imports.ts';
import { isOfUseCases } from './layers/features.ts';

interface Place {
  readonly feature: string;
  readonly isOfUseCases: boolean;
}

/** Returns the feature that a file belongs to. Undefined: to none. */
function placeOf(file: string): Place | undefined {
  const [, feature] = /^server\/features\/([^/]+)\//.exec(file) ?? [];
  return feature === undefined ? undefined : { feature, isOfUseCases: isOfUseCases(file) };
}

interface Arrow {
  readonly file: string;
  readonly from: Place | undefined;
  readonly target: string;
  readonly to: Place;
}

/** Every import of a file of a feature. A manifest imports only other manifests. */
const arrows: readonly Arrow[] = sourceFiles()
  .filter((file) => file.startsWith('server/') && !file.endsWith('/feature.ts'))
  .flatMap((file) =>
    importsOf(file).flatMap((target) => {
      const to = placeOf(target);
      return to ? [{ file, from: placeOf(file), target, to }] : [];
    }),
  );

describe('the features', () => {
  it('are the folders of server/features/, each behind those that it needs', () => {
    const names = features.map(({ name }) => name);
    expect(names.toSorted()).toEqual(readdirSync(join(root, 'server/features')).toSorted());
    for (const [at, { name, needs }] of features.entries())
      expect(names.slice(0, at), name).toEqual(expect.arrayContaining(needs.map((other) => other.name)));
  });

  it('have pages of the documentation that are there', () => {
    const manifests: readonly Feature[] = features;
    const pages = manifests.flatMap(({ pages: own = [] }) => own);
    expect(pages.filter((page) => !existsSync(join(root, `docs/${page}.md`)))).toEqual([]);
    expect(new Set(pages).size).toBe(pages.length);
  });

  it.each(features)('import only what their manifest names, and all of it: $name', ({ name, needs }) => {
    const used = arrows
      .filter(({ from, to }) => from?.feature === name && to.feature !== name)
      .map(({ to }) => to.feature);
    expect([...new Set(used)].toSorted()).toEqual(needs.map((other) => other.name).toSorted());
  });

  it('have use cases that know none of what surrounds them', () => {
    const outward = arrows.filter(
      ({ file, from, to }) => from?.isOfUseCases && !to.isOfUseCases && !file.endsWith('/serve.ts'),
    );
    expect(outward.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('are named by no file of the core but the list', () => {
    const outside = arrows.filter(({ file, from }) => !from && file !== 'server/features.ts');
    expect(outside.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});
