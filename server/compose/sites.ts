import { join } from 'node:path';

import type { ConsoleOptions, FeatureConsole } from '#server/doors/site/serve-console.ts';
import { consoleConfigs } from '#server/feature-parts.ts';
import { type SiteState, siteState } from '#server/doors/site/site-state.ts';
import { addressOf } from '#server/stores/bucket/options.ts';
import { ownVersion } from '#server/version.ts';
import type { Given } from './given.ts';
import { withoutSlash } from './without-slash.ts';

const root = join(import.meta.dirname, '../..');
export const docsFolder = join(root, 'dist/docs');
const builtConsole = join(root, 'dist/console');

/** Returns whether the documentation and the console are there. */
export function statesOfSites(consoleFolder = builtConsole): { readonly docs: SiteState; readonly console: SiteState } {
  return { docs: siteState(docsFolder), console: siteState(consoleFolder) };
}

/** Returns what both consoles share. */
export function consoleOf(
  { config, urls, overrides: { consoleFolder = builtConsole } }: Given,
  door: 'account' | 'operator',
): ConsoleOptions {
  const { bucket } = config;
  return {
    folder: consoleFolder,
    // The bytes of files may come from the bucket itself.
    fileOrigins: bucket?.redirects ? [addressOf(bucket).origin] : [],
    config: {
      door,
      version: ownVersion(),
      api_url: urls.api,
      files_url: urls.files,
      public_url: urls.public,
      s3_url: urls.s3,
      docs_url: siteState(docsFolder) === 'missing' ? null : `${withoutSlash(urls.api)}/docs/`,
      ...(Object.assign({}, ...consoleConfigs.map((of) => of(config))) as FeatureConsole),
      features_off: [...config.featuresOff],
    },
  };
}
