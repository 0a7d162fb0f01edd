import type { ErrorCode } from '#generated/errors.ts';
import { boundary, closing, fileHead, multipart, multipartType, smallest } from './multipart.ts';

export interface UploadBody {
  readonly what: string;
  readonly code: ErrorCode;
  readonly body: Uint8Array | string;
  /** `null` sends no such header. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

const text = smallest.toString();
const whole = multipart(smallest);
const named = (disposition: string, type: string | null = 'image/png') =>
  multipart(smallest, fileHead({ disposition, type }));
const filename = (name: string) => named(`form-data; name="file"; filename="${name}"`);
const second = (head: string) =>
  Buffer.concat([Buffer.from(fileHead()), smallest, Buffer.from(`\r\n${head}`), smallest, Buffer.from(closing)]);

/** Bodies that are not multipart/form-data at all, by their Content-Type. */
const otherTypes: readonly UploadBody[] = [
  ['has no content type', null],
  ['has an empty content type', ''],
  ['is raw', 'image/png'],
  ['is an octet stream', 'application/octet-stream'],
  ['is a form', 'application/x-www-form-urlencoded'],
  ['is JSON', 'application/json'],
  ['is text', 'text/plain'],
  ['is multipart/mixed', `multipart/mixed; boundary=${boundary}`],
  ['is multipart without a subtype', `multipart; boundary=${boundary}`],
  ['names no boundary', 'multipart/form-data'],
  ['names an empty boundary', 'multipart/form-data; boundary='],
  ['names an empty boundary in quotes', 'multipart/form-data; boundary=""'],
  ['names a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`],
  ['is only the parameter', `boundary=${boundary}`],
].map(([what, type]) => ({ what: what!, code: 'INVALID_CONTENT_TYPE', body: whole, type: type! }));

const notOneFile: readonly UploadBody[] = Object.entries<string | Uint8Array>({
  'is empty': '',
  'is a form without parts': `--${boundary}--\r\n`,
  'has two files': second(fileHead()),
  'has two files of different names': second(fileHead({ disposition: 'form-data; name="other"; filename="a.png"' })),
  'has a field behind the file': second(fileHead({ disposition: 'form-data; name="name"', type: null })),
  'has a field before the file': Buffer.concat([
    Buffer.from(`${fileHead({ disposition: 'form-data; name="name"', type: null })}photo\r\n`),
    whole,
  ]),
  'has its file under another name': named('form-data; name="files"; filename="photo.png"'),
  'has its file under the name in capitals': named('form-data; name="FILE"; filename="photo.png"'),
  'has its file as an array': named('form-data; name="file[]"; filename="photo.png"'),
  'has its file under an empty name': named('form-data; name=""; filename="photo.png"'),
  'has its file under a name with a blank': named('form-data; name="file "; filename="photo.png"'),
  'has its file under a name with a NUL': named('form-data; name="file\0"; filename="photo.png"'),
  'has its file under a fullwidth name': named('form-data; name="ｆｉｌｅ"; filename="photo.png"'),
  'has its file under no name': named('form-data; filename="photo.png"'),
  'has a part that is an attachment': named('attachment; name="file"; filename="photo.png"'),
  'has a part without a disposition': Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Type: image/png\r\n\r\n`),
    smallest,
    Buffer.from(closing),
  ]),
  'has an empty filename in RFC 5987 form': named('form-data; name="file"; filename*=UTF-8\'\''),
  'has a part without header fields': Buffer.concat([
    Buffer.from(`--${boundary}\r\n\r\n`),
    smallest,
    Buffer.from(closing),
  ]),
  'has a part with 20,000 bytes of header fields': multipart(
    smallest,
    fileHead({ type: `image/png; x=${'y'.repeat(20_000)}` }),
  ),
  'has something in the line of its end': Buffer.concat([whole.subarray(0, -2), Buffer.from(' more')]),
  'has a second form behind its end': Buffer.concat([whole, whole]),
  'has more than 16 KiB behind its end': Buffer.concat([whole, Buffer.alloc(16_385, ' ')]),
}).map(([what, body]) => ({ what, code: 'INVALID_CONTENT_TYPE', body }));

const notAFile: readonly UploadBody[] = Object.entries<string | Uint8Array>({
  'has a field in the place of the file': named('form-data; name="file"', null),
  'has a field with a type in the place of the file': named('form-data; name="file"', 'image/png'),
  'has bytes without a filename': named('form-data; name="file"', 'application/octet-stream'),
  'has an empty filename': filename(''),
  'has two filenames': named('form-data; name="file"; filename="photo.png"; filename="setup.exe"'),
  'has two filenames of which the program comes first': named(
    'form-data; name="file"; filename="setup.exe"; filename="photo.png"',
  ),
  'has a filename that is only a folder': filename('photos/'),
  'ends within the bytes': whole.subarray(0, 400),
  'ends before its closing delimiter': Buffer.concat([Buffer.from(fileHead()), smallest]),
  'ends within its closing delimiter': whole.subarray(0, -5),
  'ends before the last two hyphens': Buffer.concat([
    Buffer.from(fileHead()),
    smallest,
    Buffer.from(`\r\n--${boundary}`),
  ]),
  'has a closing delimiter without a line break before it': Buffer.concat([
    Buffer.from(fileHead()),
    smallest,
    Buffer.from(`--${boundary}--\r\n`),
  ]),
  'ends within the head of the part': fileHead().slice(0, 60),
  'ends after the first delimiter': `--${boundary}\r\n`,
  'ends within the first delimiter': '--XX',
  'has its boundary without hyphens': whole.toString().replaceAll(`--${boundary}`, boundary),
  'has another boundary than its type says': whole.toString().replaceAll(boundary, 'other'),
  'is not a form': text,
}).map(([what, body]) => ({ what, code: 'INVALID_FILE', body }));

/** Filenames whose extension is malformed or too long. */
const badExtensions: readonly UploadBody[] = Object.entries({
  'has an extension of 17 characters': `a.${'x'.repeat(17)}`,
  'has an overlong extension': `a.${'x'.repeat(200)}`,
  'ends with a dot': 'photo.',
  'ends with two dots': 'photo..',
  'has an extension with a hyphen': 'photo.a-b',
  'has an extension with an underscore': 'photo.a_b',
  'has an extension with a blank': 'photo.p ng',
  'has a blank behind its extension': 'photo.png ',
  'has a blank for an extension': 'photo. ',
  'has an extension with an umlaut': 'photo.pöng',
  'has an extension in fullwidth letters': 'photo.ｐｎｇ',
  'has an extension with a Cyrillic letter': 'photo.рng',
  'has an extension with a combining accent': 'photo.png\u0301',
  'has an extension with a zero-width space': 'photo.png\u200b',
  'has an extension with a right-to-left override': 'photo.\u202egnp',
  'has an extension with a Kelvin sign, which is not a k': 'photo.m\u212av'.replace('v', '!'),
  'has an alternate stream': 'photo.png:$DATA',
  'has a query': 'photo.png?x=1',
  'has a percent-encoded NUL': 'photo.png%00',
  'has a semicolon': 'photo.png;a',
  'has an emoji for an extension': 'photo.😀',
  'has an expiry mark for an extension': 'photo.-ex7',
  'has a malformed compound suffix': 'photo.a-b.a-b',
  'has a malformed suffix behind a packed one': 'a.gz.b-c',
}).map(([what, name]) => ({ what, code: 'INVALID_FILE_TYPE', body: filename(name) }));

const programs = 'exe msi dll bat cmd com scr cpl pif hta vbs vbe jse wsf wsh msc reg lnk sys drv ps1 apk xpi'.split(
  ' ',
);

const blocked: readonly UploadBody[] = [
  ...programs.map((program): [string, string] => [`is a .${program}`, `setup.${program}`]),
  ['is an .EXE', 'SETUP.EXE'],
  ['is an .eXe', 'setup.eXe'],
  ['is a packed program', 'a.exe.gz'],
  ['is a program packed with zst', 'a.Ps1.ZST'],
  ['is a program behind a picture', 'photo.png.exe'],
  ['is a program in a folder', 'folder/a.exe'],
  ['is a program in a Windows folder', 'C:\\\\folder\\\\a.exe'],
  ['is a program with no name', 'a..exe'],
].map(([what, name]) => ({ what: what!, code: 'BLOCKED_FILE_TYPE', body: filename(name!) }));

/** Blocked by the MIME type, from which the extension comes if the filename has none. */
const blockedByType: readonly UploadBody[] = [
  {
    what: 'has a filename without an extension and the type of a program',
    code: 'BLOCKED_FILE_TYPE',
    body: named('form-data; name="file"; filename="setup"', 'application/vnd.android.package-archive'),
  },
  {
    what: 'has a program in its RFC 5987 filename',
    code: 'BLOCKED_FILE_TYPE',
    body: named('form-data; name="file"; filename="a.png"; filename*=UTF-8\'\'a.exe'),
  },
];

const tooSmall: readonly UploadBody[] = [0, 1, 510, 511].map((size) => ({
  what: `has a file of ${size} bytes`,
  code: 'FILE_TOO_SMALL',
  body: multipart(smallest.subarray(0, size)),
}));

const encoded: readonly UploadBody[] = ['gzip', 'deflate', 'br', 'unheard-of'].map((encoding) => ({
  what: `says that it is ${encoding}`,
  code: 'INVALID_CONTENT_TYPE',
  body: whole,
  headers: { 'Content-Encoding': encoding },
}));

/** Bodies of Object Post that must be rejected, with their codes. */
export const badUploads: readonly UploadBody[] = [
  ...otherTypes,
  ...notOneFile,
  ...notAFile,
  ...badExtensions,
  ...blocked,
  ...blockedByType,
  ...tooSmall,
  ...encoded,
].map((one) => (one.type === undefined ? { ...one, type: multipartType } : one));

export interface GoodUpload {
  readonly what: string;
  readonly disposition: string;
  readonly type?: string | null;
  /** The extension of the stored key. */
  readonly extension: string;
  /** The name in Object Info. */
  readonly originalName: string;
  readonly contentType: string;
  /** Whether it must be an attachment, because a browser would render it. */
  readonly isAttachment?: boolean;
}

const sent = (name: string) => `form-data; name="file"; filename="${name}"`;
const octets = 'application/octet-stream';
const plain = (name: string, extension: string, contentType: string): GoodUpload => ({
  what: name,
  disposition: sent(name),
  extension,
  originalName: name,
  contentType,
});
const renderable = (name: string, extension: string, type = 'text/html'): GoodUpload => ({
  what: `${name}, sent as ${type}`,
  disposition: sent(name),
  type,
  extension,
  originalName: name,
  contentType: octets,
  isAttachment: true,
});

/** Accepted filenames and types, and their results. */
export const goodUploads: readonly GoodUpload[] = [
  plain('photo.png', 'png', 'image/png'),
  plain('PHOTO.PNG', 'png', 'image/png'),
  plain('a.b.c.png', 'png', 'image/png'),
  plain('reads.fastq.gz', 'fastq.gz', 'application/gzip'),
  plain('reads.FASTQ.GZ', 'fastq.gz', 'application/gzip'),
  plain('a.b.tar.zst', 'tar.zst', octets),
  plain('a.tar.bz2', 'tar.bz2', 'application/x-bzip2'),
  plain('a.tar.xz', 'tar.xz', 'application/x-xz'),
  plain('a.tar.lz4', 'tar.lz4', octets),
  plain('a.css.br', 'css.br', octets),
  plain('a.gz', 'gz', 'application/gzip'),
  plain('a.tar.zip', 'zip', 'application/zip'),
  plain(`a.${'x'.repeat(16)}`, 'x'.repeat(16), octets),
  plain(`a.${'x'.repeat(16)}.gz`, `${'x'.repeat(16)}.gz`, 'application/gzip'),
  plain('a.7', '7', octets),
  plain('notes.txt', 'txt', 'text/plain; charset=utf-8'),
  plain('exe.png', 'png', 'image/png'),
  plain('a.exe.png', 'png', 'image/png'),
  plain('Fotö 😀 ﬁ.png', 'png', 'image/png'),
  plain('a+b&c=d%20e.png', 'png', 'image/png'),
  plain("it's.png", 'png', 'image/png'),
  {
    what: 'a filename with a folder',
    disposition: sent('../../etc/passwd.png'),
    extension: 'png',
    originalName: 'passwd.png',
    contentType: 'image/png',
  },
  {
    what: 'a filename with a Windows folder',
    disposition: sent('C:\\\\Users\\\\me\\\\photo.png'),
    extension: 'png',
    originalName: 'photo.png',
    contentType: 'image/png',
  },
  {
    what: 'a filename with quotes',
    disposition: sent('my \\"photo\\".png'),
    extension: 'png',
    originalName: 'my "photo".png',
    contentType: 'image/png',
  },
  {
    what: 'a filename with quotes as browsers send them',
    disposition: sent('my %22photo%22.png'),
    extension: 'png',
    originalName: 'my "photo".png',
    contentType: 'image/png',
  },
  {
    what: 'a filename without quotes',
    disposition: 'form-data; name=file; filename=photo.png',
    extension: 'png',
    originalName: 'photo.png',
    contentType: 'image/png',
  },
  {
    what: 'a filename in RFC 5987 form',
    disposition: 'form-data; name="file"; filename="x.txt"; filename*=UTF-8\'\'%e2%82%ac%20rates.pdf',
    extension: 'pdf',
    originalName: '€ rates.pdf',
    contentType: 'application/pdf',
  },
  {
    what: 'a filename without an extension',
    disposition: sent('README'),
    type: 'application/pdf',
    extension: 'pdf',
    originalName: 'README',
    contentType: 'application/pdf',
  },
  {
    what: 'a filename without an extension, whose type has parameters',
    disposition: sent('README'),
    type: 'Text/Plain; charset=utf-8',
    extension: 'txt',
    originalName: 'README',
    contentType: 'text/plain; charset=utf-8',
  },
  {
    what: 'a filename that only begins with a dot',
    disposition: sent('.profile'),
    type: 'image/jpeg',
    extension: 'jpg',
    originalName: '.profile',
    contentType: 'image/jpeg',
  },
  {
    what: 'a filename without an extension, and no type',
    disposition: sent('blob'),
    type: null,
    extension: 'bin',
    originalName: 'blob',
    contentType: octets,
  },
  {
    what: 'a filename without an extension, and an unknown type',
    disposition: sent('blob'),
    type: 'x-cubby/unheard-of',
    extension: 'bin',
    originalName: 'blob',
    contentType: octets,
  },
  {
    what: 'a filename without an extension, and an invalid type',
    disposition: sent('blob'),
    type: 'nonsense',
    extension: 'bin',
    originalName: 'blob',
    contentType: octets,
  },
  {
    what: 'a filename without an extension, and an empty type',
    disposition: sent('blob'),
    type: '',
    extension: 'bin',
    originalName: 'blob',
    contentType: octets,
  },
  {
    what: 'a filename without an extension, and the octet stream',
    disposition: sent('blob'),
    type: octets,
    extension: 'bin',
    originalName: 'blob',
    contentType: octets,
  },
  ...'html htm xhtml xht shtml svg svgz xml xsl xslt mht mhtml rdf rss atom'
    .split(' ')
    .map((extension) => renderable(`page.${extension}`, extension)),
  renderable('PAGE.HTML', 'html'),
  renderable('page.html.gz', 'html.gz', 'application/gzip'),
  renderable('page.svg', 'svg', 'image/png'),
  renderable('page', 'html', 'text/html'),
  renderable('drawing', 'svg', 'image/svg+xml'),
  renderable('script.js', 'js', 'text/javascript'),
  renderable('script.mjs', 'mjs', 'text/javascript'),
];
