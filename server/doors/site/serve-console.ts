import type { Express, Request, Response } from 'express';

import { serveSite } from './serve-site.ts';
import { SiteFiles } from './site-files.ts';
import { buildConsoleCommand, sendNotBuilt } from './site-state.ts';

/** What the page must know of features. Each adds its own to this type. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface FeatureConsole {}

/** What the page of the console must know before anybody signs in. It has no secret. */
interface ConsoleConfig extends FeatureConsole {
  readonly door: 'account' | 'operator';
  readonly version: string;
  readonly api_url: string;
  readonly files_url: string;
  readonly public_url: string;
  readonly s3_url: string;
  /** Null if the documentation is not built. */
  readonly docs_url: string | null;
  /** The names of the features that are switched off. Their screens are not shown. */
  readonly features_off: readonly string[];
}

export interface ConsoleOptions {
  /** The folder of the built page. It may be missing. */
  readonly folder: string;
  readonly config: ConsoleConfig;
  /** Further origins whose files the page shows, besides those of links and public files. */
  readonly fileOrigins: readonly string[];
}

/**
 * Serves the console under `/console`: its files, its configuration, and for every other path its page, which shows
 * what the path says.
 */
export function serveConsole(app: Express, { folder, config, fileOrigins }: ConsoleOptions): void {
  const files = new SiteFiles(folder, { isNamedByContent: (path) => path.startsWith('assets/') });
  const headers = headersOf([config.files_url, config.public_url, ...fileOrigins]);
  const json = JSON.stringify(config);
  app.get('/console/config.json', (_req, res) => {
    res.set({ ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' }).send(json);
  });
  app.use(serveSite(files, pathOf, () => headers));
  app.get(['/console', '/console/{*path}'], (req: Request, res: Response, next) => {
    const path = pathOf(req);
    if (path === undefined) return next();
    res.set(headers);
    if (path === '') return sendNotBuilt(res, 'The console', buildConsoleCommand, folder);
    res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('There is no such file.\n');
  });
}

/**
 * Returns the path of a file, an empty one for the page, and undefined outside of the console. Below a screen
 * everything is the page: folders of accounts may have dots in their names.
 */
function pathOf({ path }: Request): string | undefined {
  if (path === '/console') return '';
  if (!path.startsWith('/console/')) return undefined;
  const within = path.slice('/console/'.length);
  return within.startsWith('assets/') || /^[^/]*\.[^/]*$/.test(within) ? within : '';
}

/**
 * Returns the headers of the console. The page runs only its own scripts, talks only to its own host, and shows files
 * only of the hosts that serve them. No other page can frame it or reach its window.
 *
 * @param urls the hosts of files, from the configuration
 */
function headersOf(urls: readonly string[]): Readonly<Record<string, string>> {
  const files = [...new Set(urls.map((url) => new URL(url).origin))].join(' ');
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src 'self' data: ${files}`,
      `media-src ${files}`,
      `frame-src ${files}`,
      "connect-src 'self'",
      "font-src 'self'",
      "form-action 'none'",
      "worker-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Robots-Tag': 'noindex',
  };
}
