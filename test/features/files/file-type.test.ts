import fc from 'fast-check';
import mimeTypes from 'mime-types';
import { describe, expect, it } from 'vitest';

import {
  extensionOfName,
  extensionOfUpload,
  isBlocked,
  isInert,
  isWellFormedExtension,
  servedType,
} from '#server/features/files/file-type.ts';

const blocked = 'exe msi dll bat cmd com scr cpl pif hta vbs vbe jse wsf wsh msc reg lnk sys drv ps1 apk xpi'.split(
  ' ',
);
const renderable = 'html htm xhtml xht shtml svg svgz xml xsl xslt mht mhtml rdf rss atom'.split(' ');

const saved = { contentType: 'application/octet-stream', isAttachment: true };

describe('extensionOfName()', () => {
  it.each([
    ['photo.png', 'png'],
    ['PHOTO.PNG', 'png'],
    ['reads.fastq.gz', 'fastq.gz'],
    ['archive.tar.bz2', 'tar.bz2'],
    ['a.b.c.xz', 'c.xz'],
    ['a.tar.zst', 'tar.zst'],
    ['a.tar.br', 'tar.br'],
    ['a.tar.lz4', 'tar.lz4'],
    ['archive.gz', 'gz'],
    ['my.report.pdf', 'pdf'],
    ['v1.0-final.gz', 'gz'],
    ['access.log-20240101.gz', 'gz'],
    ['db.2024-01-01.gz', 'gz'],
    ['my.report-final.gz', 'gz'],
    ['a..gz', 'gz'],
    ['Ä.ä.zst', 'zst'],
    [`a.${'b'.repeat(16)}.xz`, `${'b'.repeat(16)}.xz`],
    [`a.${'b'.repeat(17)}.xz`, 'xz'],
    ['.profile', undefined],
    ['...', undefined],
    ['.tar.gz', 'gz'],
    ['README', undefined],
    ['', undefined],
    ['photo.', ''],
    ['photo.png ', 'png '],
    ['virus.exe.gz', 'exe.gz'],
    ['x.ln\u212a', 'lnk'],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOfName(name)).toBe(extension);
  });
});

describe('extensionOfUpload()', () => {
  it.each([
    ['photo.jpg', 'image/png', 'jpg'],
    ['photo', 'image/png', 'png'],
    ['photo', 'text/plain; charset=utf-8', 'txt'],
    ['photo', 'application/x-nonsense', 'bin'],
    ['photo', '', 'bin'],
    ['photo', 'application/octet-stream', 'bin'],
    ['page', 'text/html', 'html'],
    ['photo.', 'image/png', ''],
  ])('of %j sent as %j is %j', (name, type, extension) => {
    expect(extensionOfUpload(name, type)).toBe(extension);
  });

  it('returns a well-formed extension for every MIME type, so none is refused for its name', () => {
    for (const type of Object.keys(mimeTypes.extensions))
      expect(isWellFormedExtension(extensionOfUpload('file', type)), type).toBe(true);
  });

  it('returns the blocked extension of a type that stands for a program', () => {
    expect(isBlocked(extensionOfUpload('setup', 'application/x-msdownload'))).toBe(true);
    expect(isBlocked(extensionOfUpload('setup', 'application/x-msdos-program'))).toBe(true);
    expect(isBlocked(extensionOfUpload('setup', 'application/vnd.android.package-archive'))).toBe(true);
  });
});

describe('isWellFormedExtension()', () => {
  it.each(['png', 'a', '7z', 'tar.gz', 'a'.repeat(16), `${'a'.repeat(16)}.${'b'.repeat(16)}`])(
    'accepts %s',
    (extension) => {
      expect(isWellFormedExtension(extension)).toBe(true);
    },
  );

  it.each(['', '.', 'PNG', 'a'.repeat(17), 'a.', '.a', 'a.b.c', 'a-b', 'a b', 'png\n', 'é', 'a/b', '../x', 'a\u0000'])(
    'rejects %j',
    (extension) => {
      expect(isWellFormedExtension(extension)).toBe(false);
    },
  );
});

describe('isBlocked()', () => {
  it.each(blocked)('blocks %s, alone and in a packed file', (extension) => {
    expect(isBlocked(extension)).toBe(true);
    expect(isBlocked(`${extension}.gz`)).toBe(true);
  });

  it.each(['png', 'ex', 'exes', 'txt', 'tar.gz', 'vb', 'ps', 'command'])('allows %s', (extension) => {
    expect(isBlocked(extension)).toBe(false);
  });

  it('blocks no other extension that has a MIME type', () => {
    expect(Object.keys(mimeTypes.types).filter(isBlocked).sort()).toEqual(
      blocked.filter((one) => one in mimeTypes.types).sort(),
    );
  });

  it('ignores the case, dots and blanks of a filename', () => {
    const disguise = fc.tuple(
      fc.constantFrom('', '.', '..', 'a', 'photo.png', 'ex'),
      fc.constantFrom(...blocked),
      fc.boolean(),
      fc.constantFrom('', '.gz', '.bz2', ' ', '.', '\u0000', '\u200b'),
    );
    fc.assert(
      fc.property(disguise, ([name, extension, upper, tail]) => {
        const found = extensionOfUpload(`x${name}.${upper ? extension.toUpperCase() : extension}${tail}`, 'image/png');
        expect(isBlocked(found) || !isWellFormedExtension(found), found).toBe(true);
      }),
    );
  });
});

describe('servedType()', () => {
  it.each([
    ['cubby.png', 'image/png'],
    ['a/b_abcdefghijklmnop-ex30.JPG', 'image/jpeg'],
    ['notes.txt', 'text/plain; charset=utf-8'],
    ['style.css', 'text/css; charset=utf-8'],
    ['table.csv', 'text/csv; charset=utf-8'],
    ['data.json', 'application/json'],
    ['book.pdf', 'application/pdf'],
    ['film.mp4', 'video/mp4'],
    ['reads.fastq.gz', 'application/gzip'],
    ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['sheet.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['slides.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ['letter.odt', 'application/vnd.oasis.opendocument.text'],
    ['x.bin', 'application/octet-stream'],
    ['x.unknown', 'application/octet-stream'],
    ['x', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['x.', 'application/octet-stream'],
    ['folder.html/photo.png', 'image/png'],
  ])('serves %s as %s', (key, contentType) => {
    expect(servedType(key)).toEqual({ contentType, isAttachment: false });
  });

  it.each(renderable)('serves .%s as an attachment, also in upper case, packed, or behind a dot', (extension) => {
    for (const key of [
      `x.${extension}`,
      `X.${extension.toUpperCase()}`,
      `a/b.c/x.${extension}.gz`,
      `.${extension}`,
      `x.${extension}.png`,
    ]) {
      expect(servedType(key), key).toEqual(saved);
    }
  });

  it.each(blocked)('serves .%s as an attachment, because S3 can store it', (extension) => {
    expect(servedType(`x.${extension}`)).toEqual(saved);
  });

  it.each(
    (
      'js mjs cjs wasm swf jar jnlp appcache manifest htc webmanifest webapp crx xbap application appinstaller xap ' +
      'spl pac sgml fdf xfdf xdp crt p12 wml dart eml'
    ).split(' '),
  )('serves .%s as an attachment, because a browser or plugin would run, install, trust or render it', (extension) => {
    expect(servedType(`x.${extension}`)).toEqual(saved);
  });

  it('serves only types that cannot carry script as themselves', () => {
    // Read through with each new version of mime-types: types that a browser shows itself or hands to other programs.
    const media = /^(image\/(?!svg)|audio\/|video\/|font\/|chemical\/|model\/|x-conference\/)/;
    const application = /^application\/(?!(.*\+)?xml|xhtml|javascript|ecmascript|x-httpd-cgi)/;
    const texts = new Set(
      `calendar css csv jade jsx less markdown mdx n3 plain prs.lines.tag richtext shex slim spdx stylus
       tab-separated-values troff turtle uri-list vcard vnd.dvb.subtitle vnd.familysearch.gedcom vnd.fly
       vnd.fmi.flexstor vnd.graphviz vnd.in3d.3dml vnd.in3d.spot vtt wgsl x-asm x-c x-fortran x-handlebars-template
       x-lua x-markdown x-nfo x-opml x-pascal x-processing x-sass x-scss x-setext x-sfv x-suse-ymp x-uuencode
       x-vcalendar x-vcard yaml`
        .split(/\s+/)
        .map((name) => `text/${name}; charset=utf-8`),
    );
    for (const extension of Object.keys(mimeTypes.types)) {
      const { contentType, isAttachment } = servedType(`x.${extension}`);
      if (isAttachment) expect(contentType, extension).toBe('application/octet-stream');
      else {
        const isHarmless = texts.has(contentType) || media.test(contentType) || application.test(contentType);
        expect(isHarmless, `${extension}: ${contentType}`).toBe(true);
      }
    }
  });

  it('serves nothing as a type that a browser parses as XML or runs as script', () => {
    // @see https://mimesniff.spec.whatwg.org, "XML MIME type", "HTML MIME type", "JavaScript MIME type"
    const markup = /^(text\/html|text\/xml|application\/xml|[^;]*\+xml|multipart\/|message\/)/;
    const script = /^(text|application)\/(x-)?(java|ecma|live|j)script[\d.]*/;
    for (const extension of Object.keys(mimeTypes.types)) {
      const { contentType } = servedType(`x.${extension}`);
      expect(contentType, extension).not.toMatch(markup);
      expect(contentType, extension).not.toMatch(script);
    }
  });

  it('returns a type for any key, and no line break for a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) =>
        /^[\w.+-]+\/[\w.+-]+(; charset=utf-8)?$/.test(servedType(key).contentType),
      ),
    );
  });
});

describe('isInert()', () => {
  it.each(['image/png', 'image/jpeg', 'video/mp4', 'audio/mpeg', 'font/woff2', 'application/zip'])(
    'is true of %s',
    (type) => expect(isInert(type)).toBe(true),
  );
  it.each([
    'image/svg+xml',
    'text/plain; charset=utf-8',
    'text/html',
    'application/pdf',
    'application/json',
    'application/xhtml+xml',
    'application/zip; x=text/html',
  ])('is false of %s', (type) => expect(isInert(type)).toBe(false));
});
