import mimeTypes from 'mime-types';

/** What people call a file. */
export const fileKinds = ['image', 'video', 'audio', 'text', 'document', 'archive', 'other'] as const;

export type FileKindName = (typeof fileKinds)[number];

const textType = /^application\/(?:json|xml|yaml|toml|javascript|sql|x-sh|x-ndjson|.*\+(?:json|xml))$/;
const documentType =
  /^application\/(?:pdf|rtf|epub\+zip|msword|postscript|vnd\.(?:ms-(?:excel|powerpoint|word)|openxmlformats|oasis\.opendocument|apple\.(?:pages|numbers|keynote)))/;
const archiveType =
  /^application\/(?:zip|gzip|x-tar|x-gtar|x-gzip|x-7z-compressed|x-bzip2?|x-xz|zstd|x-rar-compressed|vnd\.rar|java-archive|x-iso9660-image)$/;

/** Extensions that the register of types lacks. */
const archiveExtensions = new Set(['xz', 'zst', 'br', 'lz4', '7z', 'bz2']);

/** Returns the kind of a stored key, by its last extension. */
export function kindOf(key: string): FileKindName {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  const type = mimeTypes.lookup(extension) || '';
  const [family] = type.split('/');
  if (family === 'image' || family === 'video' || family === 'audio') return family;
  if (documentType.test(type)) return 'document';
  if (archiveType.test(type) || archiveExtensions.has(extension)) return 'archive';
  return family === 'text' || textType.test(type) ? 'text' : 'other';
}
