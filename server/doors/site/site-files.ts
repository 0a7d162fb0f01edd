import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

import { compress, type Encoding } from '#server/http/compressed.ts';

/** A file of a site as it is served. */
export interface SiteFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly lastModifiedMs: number;
  readonly hash: string;
  /** Whether it is named after its content, so that it may be cached for good. */
  readonly isImmutable: boolean;
  /** Returns the encoded bytes, and caches them; undefined if they are not smaller. */
  encoded(encoding: Encoding): Promise<Buffer | undefined>;
}

/** Changes the text of a page or a contract before it is served. @param path within the site, with its extension */
export type ChangeText = (text: string, path: string) => string;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json',
};

/** Types whose text may contain the server's addresses. Scripts contain them only if they hold the text of a page. */
const changedTypes: ReadonlySet<string> = new Set(['.html', '.json', '.yaml', '.md', '.txt']);
const pageScript = /^assets\/.*\.js$/;

/** Files that are named after their content by the site's generator. */
const namedByContent = /^assets\/.*\.[\w-]{8}(\.lean)?\.(js|css)$/;

/** Names of files and folders. They never lead out of the site. */
const name = /^[A-Za-z0-9_@-][A-Za-z0-9_.-]{0,99}$/;

interface SiteOptions {
  /** Default: none. */
  readonly change?: ChangeText;
  /** Default: scripts and styles with a hash in their name, as the generator of the documentation writes them. */
  readonly isNamedByContent?: (path: string) => boolean;
  /** Files that are made from another one when they are first requested. */
  readonly made?: Readonly<Record<string, MadeFile>>;
}

/** A file that is made from another one of the folder. */
interface MadeFile {
  readonly from: string;
  make(bytes: Buffer): Promise<Buffer>;
}

/**
 * The files of a folder. Each is read at its first request and kept in memory, also compressed: some megabytes in all.
 * A file that changes on the disk is read again. If a compressed form lies beside a file (`.br`, `.gz`), it is sent as
 * it is.
 */
export class SiteFiles {
  readonly #folder: string;
  readonly #change: ChangeText;
  readonly #isNamedByContent: (path: string) => boolean;
  readonly #made: Readonly<Record<string, MadeFile>>;
  readonly #files = new Map<string, { readonly mtimeMs: number; readonly file: Promise<SiteFile> }>();

  constructor(folder: string, { change = (text) => text, isNamedByContent, made = {} }: SiteOptions = {}) {
    this.#folder = folder;
    this.#change = change;
    this.#made = made;
    this.#isNamedByContent = isNamedByContent ?? ((path) => namedByContent.test(path));
  }

  /**
   * @param path within the site, not decoded, without a leading slash. Pages are also found without their extension
   * @returns undefined if no such file exists
   */
  async find(path: string): Promise<SiteFile | undefined> {
    if (path === '') return this.#read('index.html');
    if (!path.split('/').every((step) => name.test(step))) return undefined;
    if (extname(path) in types) return this.#read(path);
    return this.#read(`${path}.html`);
  }

  async #read(path: string): Promise<SiteFile | undefined> {
    const made = this.#made[path];
    const full = join(this.#folder, made?.from ?? path);
    const found = await stat(full).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const kept = this.#files.get(path);
    if (kept?.mtimeMs === found.mtimeMs) return kept.file;
    const file = readFile(full)
      .then((bytes) => made?.make(bytes) ?? bytes)
      .then((bytes) => this.#served(path, bytes, found.mtimeMs));
    this.#files.set(path, { mtimeMs: found.mtimeMs, file });
    file.catch(() => this.#files.delete(path));
    return file;
  }

  /** Returns a compressed form that lies beside a file and is not older than it. */
  async #packed(path: string, encoding: Encoding, notBeforeMs: number): Promise<Buffer | undefined> {
    const full = join(this.#folder, path + endings[encoding]);
    const found = await stat(full).catch(() => undefined);
    return found?.isFile() && found.mtimeMs >= notBeforeMs ? readFile(full) : undefined;
  }

  #served(path: string, bytes: Buffer, lastModifiedMs: number): SiteFile {
    const isChangeable = changedTypes.has(extname(path)) || pageScript.test(path);
    const text = isChangeable ? bytes.toString() : '';
    const changed = isChangeable ? this.#change(text, path) : text;
    const served = changed === text ? bytes : Buffer.from(changed);
    // A changed file no longer has the content that it is named after.
    const isUnchanged = changed === text;
    return fileOf(path, served, {
      lastModifiedMs,
      isImmutable: isUnchanged && this.#isNamedByContent(path),
      packed: async (encoding) => (isUnchanged ? this.#packed(path, encoding, lastModifiedMs) : undefined),
    });
  }
}

const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

interface FileOptions extends Pick<SiteFile, 'lastModifiedMs' | 'isImmutable'> {
  /** Returns the compressed bytes if they lie beside the file. */
  packed(encoding: Encoding): Promise<Buffer | undefined>;
}

function fileOf(path: string, bytes: Buffer, { lastModifiedMs, isImmutable, packed }: FileOptions): SiteFile {
  const encodings = new Map<Encoding, Promise<Buffer | undefined>>();
  return {
    bytes,
    lastModifiedMs,
    type: types[extname(path)] ?? 'application/octet-stream',
    hash: contentHash(bytes),
    isImmutable,
    encoded(encoding) {
      const known =
        encodings.get(encoding) ??
        packed(encoding)
          .then((kept) => kept ?? compress(bytes, encoding))
          .then((smaller) => (smaller.length < bytes.length ? smaller : undefined));
      encodings.set(encoding, known);
      return known;
    },
  };
}

/** Hashes a content for an ETag or an address. */
function contentHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}
