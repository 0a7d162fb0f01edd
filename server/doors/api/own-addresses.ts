import { createHash } from 'node:crypto';

import { contentHash, type ChangePage } from './site-files.ts';

/** The addresses at which clients reach this server: `base` for `/v1`, `api` for `/v2`. */
export type OwnAddresses = Readonly<Record<'base' | 'api' | 'files' | 'public' | 's3', string>>;

/** The addresses of a server without settings, which the documentation and the contract contain. */
const placeholder = /http:\/\/localhost:740([0-3])(?![0-9])(\/v2)?/g;

/** Scripts of at least this length are served as files of their own, which browsers can cache for good. */
const longScript = 65_536;

/**
 * Returns a function that replaces the example addresses of a text with the server's own. It also moves long scripts of
 * a page into files, named after their content, and updates the page's policy for its scripts.
 */
export function ownAddresses({ base, api, files, public: publicHost, s3 }: OwnAddresses): ChangePage {
  const doors = [base, files, publicHost, s3].map(plainUrl);
  const generalApi = plainUrl(api);
  return (page) => {
    const addressed = page.replaceAll(placeholder, (whole, door: string, v2?: string) => {
      const own = v2 === undefined ? doors[Number(door)] : generalApi;
      return own === undefined ? whole : own + (v2 ?? '');
    });
    const beside = new Map<string, string>();
    const hashes: string[] = [];
    const scripted = changeScripts(addressed, (attributes, script) => {
      if (script.length < longScript) {
        hashes.push(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
        return undefined;
      }
      const path = `assets/reference-${contentHash(script)}.js`;
      beside.set(path, script);
      return `<script${attributes} src="${path}"></script>`;
    });
    if (hashes.length === 0 && beside.size === 0) return { page: addressed, beside };
    const sources = [...(beside.size > 0 ? ["'self'"] : []), ...new Set(hashes)].join(' ');
    return { page: scripted.replace(/script-src '[^;"]*/, `script-src ${sources}`), beside };
  };
}

/** Returns an address that needs no escaping in text, markup, scripts, JSON and YAML; undefined for any other. */
function plainUrl(url: string): string | undefined {
  return /^[\w.:/[\]%~-]+$/.test(url) ? url : undefined;
}

/** Finds the elements by position, because a regular expression over three megabytes takes dozens of milliseconds. */
function changeScripts(page: string, change: (attributes: string, script: string) => string | undefined): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = page.indexOf('<script'); start !== -1; start = page.indexOf('<script', from)) {
    const open = page.indexOf('>', start);
    // A script escapes `</script`, so the next one always ends it.
    const end = page.indexOf('</script>', open);
    if (open === -1 || end === -1) break;
    const after = end + '</script>'.length;
    const attributes = page.slice(start + '<script'.length, open);
    const changed = /\bsrc=/.test(attributes) ? undefined : change(attributes, page.slice(open + 1, end));
    parts.push(page.slice(from, start), changed ?? page.slice(start, after));
    from = after;
  }
  return parts.join('') + page.slice(from);
}
