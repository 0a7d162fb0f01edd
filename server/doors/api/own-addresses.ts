import { createHash } from 'node:crypto';

import { contentHash, type ChangePage } from './site-files.ts';

/** The addresses at which clients see this server. */
export interface OwnAddresses {
  readonly base: string;
  readonly api: string;
  readonly files: string;
  readonly public: string;
  readonly s3: string;
}

/** The addresses of a server without settings: so they stand in the documentation, with the port of each door. */
const placeholder = /http:\/\/localhost:740([0-3])(?![0-9])(\/v2)?/g;

/** Scripts from this length on are served beside their page, where they can be kept for good. */
const longScript = 65_536;

/**
 * Puts the server's own addresses in the place of those that the documentation is written with, takes the long script
 * of the reference out into a file of its own, named after its content, and says in the page's policy which scripts it
 * has now.
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

/**
 * An address that means the same in text, in markup, and in a script; undefined for one with other characters in it.
 */
function plainUrl(url: string): string | undefined {
  return /^[\w.:/[\]%~-]+$/.test(url) ? url : undefined;
}

/** Goes through the elements by position: an expression over three megabytes takes dozens of milliseconds. */
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
