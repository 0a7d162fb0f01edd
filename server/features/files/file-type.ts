import mimeTypes from 'mime-types';

import { withoutNameEnd } from '#server/domain/without-name-end.ts';

/** Programs that a double click runs. */
const blocked = new Set(
  'exe msi dll bat cmd com scr cpl pif hta vbs vbe jse wsf wsh msc reg lnk sys drv ps1 apk xpi'.split(' '),
);

/** Extensions that a browser renders as a document with script, or runs. */
const renderable = new Set(
  (
    'html htm xhtml xht shtml phtml svg svgz xml xsl xslt xsd mht mhtml rdf rss atom js mjs cjs wasm swf jar jnlp ' +
    'appcache manifest htc wsdl wadl mathml mml kml gml xul xbl dtd eml'
  ).split(' '),
);
/**
 * Types that a browser renders as a document with script, or runs. The exceptions are office files, which are packed
 * archives with XML only in their name.
 */
const renderableType =
  /html|sgml|xml(?!formats|\.)|script|java|wasm|message\/|multipart\/|manifest|vnd\.(wap|curl)|mathml|x-component|dart/;

/** Types that make a browser or its plugins run or install something, or trust a certificate. */
const runnableTypes = [
  /x-shockwave|futuresplash|x-director|x-authorware|silverlight|vnd\.unity|widget|web-app|air-application/,
  /x-ms-(application|xbap|shortcut)|x-msdo(s-program|wnload)|appinstaller|msix|appx|android\.package|x-install/,
  /xpinstall|x-chrome-extension|proxy-autoconfig|fdf|xfdl|x-x509|pkcs|pkix/,
];

/** Last parts that only say how the file is packed. The part before them belongs to the extension. */
const packed = new Set(['gz', 'bz2', 'xz', 'zst', 'br', 'lz4']);

const partForm = /^[a-z0-9]{1,16}$/;
const extensionForm = /^[a-z0-9]{1,16}(\.[a-z0-9]{1,16})?$/;

/**
 * Returns the extension of a filename, lowercased and without its dot: `pdf`, `fastq.gz`. Returns `gz` alone if the
 * part before it cannot be an extension, as in `access.log-20240101.gz`. Undefined for a name without one, such as
 * `.profile`.
 */
export function extensionOfName(filename: string): string | undefined {
  const [, ...parts] = filename.replace(/^\.+/, '').toLowerCase().split('.');
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const before = parts.at(-2);
  return packed.has(last) && before !== undefined && partForm.test(before) ? `${before}.${last}` : last;
}

/** Returns the extension of an upload: from its filename, else from its declared MIME type, else `bin`. */
export function extensionOfUpload(filename: string, mimeType: string): string {
  const ofName = extensionOfName(filename);
  if (ofName !== undefined) return ofName;
  const ofType = mimeTypes.extension(mimeType);
  // Some registered extensions have other characters: `x_t`, `n-gage`.
  return ofType && isWellFormedExtension(ofType) ? ofType : 'bin';
}

export function isWellFormedExtension(extension: string): boolean {
  return extensionForm.test(extension);
}

/** Whether any part of the extension is on the list of programs. */
export function isBlocked(extension: string): boolean {
  return extension.split('.').some((part) => blocked.has(part));
}

/** Characters that are not seen, and that some programs drop from names. */
const unseen = /[\p{Cc}\p{Cf}]/gu;

/**
 * Returns the ending that makes a name that of a program, as Windows reads it: dot files such as `.exe` are programs,
 * dots and blanks at the end are dropped, and `a.exe:x` is a stream of `a.exe`. Undefined for any other name.
 *
 * @param name with or without folders
 */
export function programEnding(name: string): string | undefined {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  for (const piece of last.replace(unseen, '').toLowerCase().split(':')) {
    const [, ...parts] = withoutNameEnd(piece).split('.');
    const ending = parts.at(-1) ?? '';
    const found = [ending, packed.has(ending) ? (parts.at(-2) ?? '') : ''].find((part) => blocked.has(part));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The way in which a file is served, by its key. */
interface ServedType {
  readonly contentType: string;
  /** Whether browsers must save it and not show it, whatever its owner requested. */
  readonly isAttachment: boolean;
}

/** Types that browsers show without running anything, or only save. */
const inertType =
  /^(image\/(?!svg)|video\/|audio\/|font\/|application\/(octet-stream|zip|gzip|x-tar|x-7z-compressed|x-bzip2|zstd)$)/;

/** Whether a browser would render bytes of this type as a document with script, or run them. */
export function isRenderable(contentType: string): boolean {
  const type = contentType.toLowerCase();
  return renderableType.test(type) || runnableTypes.some((form) => form.test(type));
}

/** Whether a browser can do nothing with bytes of this type but show a picture, play a sound or save them. */
export function isInert(contentType: string): boolean {
  return inertType.test(contentType) && !renderableType.test(contentType);
}

const octetStream: ServedType = { contentType: 'application/octet-stream', isAttachment: false };

/**
 * Returns the type that a stored key is served with. When in doubt, the file is served as bytes to be saved, so that no
 * user content runs as a page.
 */
export function servedType(key: string): ServedType {
  const parts = (key.split('/').at(-1) ?? '').toLowerCase().split('.').slice(1);
  const type = mimeTypes.lookup(parts.at(-1) ?? '') || 'application/octet-stream';
  const mustBeSaved =
    parts.some((part) => renderable.has(part)) || blocked.has(parts.at(-1) ?? '') || isRenderable(type);
  if (mustBeSaved) return { ...octetStream, isAttachment: true };
  if (type === octetStream.contentType) return octetStream;
  return { contentType: type.startsWith('text/') ? `${type}; charset=utf-8` : type, isAttachment: false };
}
