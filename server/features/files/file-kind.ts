import mimeTypes from 'mime-types';

/** What people call a file. */
export type FileKindName =
  | 'image'
  | 'audio'
  | 'video'
  | 'pdf'
  | 'text'
  | 'document'
  | 'sheet'
  | 'slides'
  | 'archive'
  | 'other';

/** Kinds by content type. Extensions decide only when the type says nothing. */
const kindsOfTypes: ReadonlyArray<readonly [FileKindName, RegExp]> = [
  ['pdf', /^application\/pdf$/],
  ['sheet', /^text\/csv$|spreadsheet|ms-excel/],
  ['slides', /presentation|ms-powerpoint/],
  ['document', /wordprocessing|msword|opendocument\.text|^application\/(rtf|epub\+zip)$/],
  [
    'archive',
    /^application\/(zip|gzip|x-(7z-compressed|bzip2?|gzip|rar-compressed|tar|xz|zip-compressed)|vnd\.rar|zstd)$/,
  ],
  ['text', /^text\/|^application\/(json|xml|yaml|toml|x-yaml)$/],
  ['image', /^image\//],
  ['audio', /^audio\//],
  ['video', /^video\//],
];
const kindsOfExtensions: ReadonlyArray<readonly [FileKindName, RegExp]> = [
  ['archive', /\.(zip|gz|tgz|tar|7z|rar|xz|bz2|zst)$/i],
  ['sheet', /\.(xlsx?|ods|numbers)$/i],
  ['slides', /\.(pptx?|odp|key)$/i],
  ['document', /\.(docx?|odt|rtf|epub|pages)$/i],
];

/** Returns the kind of a file by its content type, or else by its extension. */
export function kindOf({ name, contentType }: { readonly name: string; readonly contentType: string }): FileKindName {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return (
    kindsOfTypes.find(([, pattern]) => pattern.test(type))?.[0] ??
    kindsOfExtensions.find(([, pattern]) => pattern.test(name))?.[0] ??
    'other'
  );
}

/** Returns the kind of a stored key, by its last extension. It may be served as another type, because that is safer. */
export function kindOfKey(key: string): FileKindName {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  return kindOf({ name, contentType: mimeTypes.lookup(extension) || '' });
}
