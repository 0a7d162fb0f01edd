import { describe, expect, it } from 'vitest';

import { codesOfOperation } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import { failurePage } from '#server/pages/failure.ts';
import { cardPage } from '#server/features/shares/pages/share-card.ts';
import { landingPage } from '#server/features/shares/pages/share-landing.ts';
import { overPage } from '#server/features/shares/pages/share-over.ts';
import { passwordPage } from '#server/features/shares/pages/share-password.ts';
import { previewHeaders, previewKindOf } from '#server/features/shares/pages/share-preview.ts';
import type { PreviewKind } from '#server/features/shares/pages/share-view.ts';
import { messagesIn } from '#server/pages/messages/messages.ts';
import { lease, publicOrigin } from '#test/pages/gallery.ts';

const languages = ['en', 'pt', 'es'] as const;
const english = { ...lease, acceptLanguage: 'en' };
const uncapped = { remainingDownloads: null, sizeBytes: 1000 };

describe('landingPage()', () => {
  it('shows name, kind, size, checksum, expiry and downloads left, and has a button for the file', () => {
    const { page } = landingPage({ ...english, name: 'a<b>&"c.pdf' });
    expect(page).toMatch(
      /<title>a&#60;b&#62;&#38;&#34;c\.pdf – Cubby<\/title>[^]*<h1><bdi>a&#60;b&#62;&#38;&#34;c\.pdf<\/bdi><\/h1>/,
    );
    for (const told of [
      'PDF document · 1.8',
      lease.sha256!,
      'in 5 days',
      'datetime="2026-04-26T09:31:00.000Z"',
      '26 April 2026 at 09:31 (UTC)',
      '3 left',
      '<form method="post" action="example">',
      '<button class="first" name="download" value="1">Download</button>',
    ])
      expect(page).toContain(told);
    // Programs that check mails follow links.
    expect(page).not.toContain('<a ');
    expect(page).not.toContain('<script');
  });

  it('links to the file of a link without a cap', () => {
    const { page } = landingPage({ ...english, ...uncapped, form: undefined });
    expect(page).toContain('href="?download=1"');
    expect(page).not.toContain('<form');
  });

  it('leaves out a missing cap, checksum or preview', () => {
    const { page } = landingPage({ ...english, remainingDownloads: null, sha256: null });
    expect(page).not.toMatch(/Downloads<|SHA-256|class="preview"|View in/);
  });

  it('is in the language of the visitor, and declares it', () => {
    const pages = languages.map((acceptLanguage) => landingPage({ ...lease, acceptLanguage }));
    expect(pages.map(({ page }) => /<html lang="([^"]*)">/.exec(page)![1])).toEqual(['en-GB', 'pt-BR', 'es']);
    expect(pages.map(({ headers }) => headers['Content-Language'])).toEqual(['en-GB', 'pt-BR', 'es']);
    expect(pages.map(({ page }) => /class="first"[^>]*>([^<]*)/.exec(page)![1])).toEqual([
      'Download',
      'Baixar',
      'Descargar',
    ]);
    for (const { headers } of pages) expect(headers['Vary']).toContain('Accept-Language');
  });

  it('lets its form lead to the public address of a public file', () => {
    const { headers } = landingPage({ ...english, publicOrigin });
    expect(headers['Content-Security-Policy']).toContain(`form-action 'self' ${publicOrigin};`);
  });

  it('may load its preview and nothing else', () => {
    const policyOf = (kind: PreviewKind | undefined) =>
      landingPage({ ...english, preview: kind && { kind, url: '?preview=1' } }).headers['Content-Security-Policy']!;
    expect(policyOf(undefined)).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; " +
        "base-uri 'none'",
    );
    expect([policyOf('pdf'), policyOf('image')]).toEqual([policyOf(undefined), policyOf(undefined)]);
    for (const [kind, source] of [
      ['audio', 'media-src'],
      ['video', 'media-src'],
      ['text', 'frame-src'],
    ] as const) {
      expect(policyOf(kind)).toBe(policyOf(undefined).replace("img-src 'self';", `img-src 'self'; ${source} 'self';`));
    }
  });

  it('marks links to bytes as nofollow for robots', () => {
    const { page } = landingPage({ ...english, form: undefined, preview: { kind: 'pdf', url: '?preview=1' } });
    for (const link of page.match(/<a [^>]*>/g)!) expect(link).toMatch(/rel="[^"]*nofollow"/);
  });

  it('has a preview card in its head, unless the file has a password', () => {
    expect(landingPage(english).page).toContain('<meta property="og:title" content="Lease 2026, signed.pdf" />');
    expect(landingPage({ ...english, hasPassword: true }).page).not.toContain('og:');
  });
});

describe('cardPage()', () => {
  it('shows name and size, but nothing of a file with a password', () => {
    const url = 'https://files.example.invalid/s/x?"';
    const { page } = cardPage({ acceptLanguage: undefined, file: english, url, imageUrl: undefined });
    expect(page).toMatch(
      /og:title" content="Lease 2026, signed\.pdf"[^]*og:description" content="PDF document · 1\.8.MB"[^]*og:url"/,
    );
    expect(page).toMatch(/og:url" content="https:\/\/files\.example\.invalid\/s\/x\?&#34;"/);
    expect(cardPage({ acceptLanguage: undefined, file: undefined, url, imageUrl: undefined }).page).not.toMatch(
      /Lease|PDF|MB/,
    );
  });

  it('shows the words of the sender and the picture', () => {
    const file = { ...english, title: 'Lease <b>', message: 'Please sign.\nThanks' };
    const { page } = cardPage({
      acceptLanguage: 'en',
      file,
      url: 'x',
      imageUrl: 'https://files.example.invalid/s/x?preview=1',
    });
    expect(page).toContain('<meta property="og:title" content="Lease &#60;b&#62;" />');
    expect(page).toMatch(/og:description" content="Please sign\. Thanks — Lease 2026, signed\.pdf · PDF document/);
    expect(page).toContain('<meta property="og:image" content="https://files.example.invalid/s/x?preview=1" />');
    expect(page).toContain('content="summary_large_image"');
    expect(landingPage(file).page).toMatch(
      /<h1><bdi>Lease &#60;b&#62;<\/bdi>[^]*<p class="message" dir="auto">Please sign\.\nThanks<\/p>/,
    );
  });

  it('links back to the page of the link, in each language', () => {
    const url = 'https://files.example.invalid/s/x';
    for (const [acceptLanguage, words] of [
      ['en', 'Open the link'],
      ['es', 'Abrir el enlace'],
      ['pt', 'Abrir o link'],
    ] as const) {
      for (const file of [english, undefined])
        expect(cardPage({ acceptLanguage, file, url, imageUrl: undefined }).page).toContain(
          `<a class="button" href="${url}" rel="nofollow">${words}</a>`,
        );
    }
  });
});

describe('passwordPage()', () => {
  it('connects the field with the problem', () => {
    const { page } = passwordPage({ acceptLanguage: 'pt', problem: 'wrong', publicOrigin });
    expect(page).toMatch(/<title>Problema: [^]*<p role="alert" id="problem">Senha incorreta/);
    expect(page).toMatch(/Senha incorreta[^]*aria-describedby="problem password_hint" aria-invalid="true"/);
    expect(passwordPage({ acceptLanguage: 'pt', problem: undefined, publicOrigin }).page).not.toMatch(
      /role="alert"|aria-invalid/,
    );
  });

  it('says when to try again after too many attempts, without calling the last password wrong', () => {
    const pageIn = (acceptLanguage: string) =>
      passwordPage({ acceptLanguage, problem: { waitSeconds: 4 }, publicOrigin }).page;
    expect([pageIn('en'), pageIn('pt'), pageIn('es')]).toEqual([
      expect.stringContaining('Too many attempts. Try again in 4 seconds.'),
      expect.stringContaining('Tentativas demais. Tente novamente em 4 segundos.'),
      expect.stringContaining('Demasiados intentos. Inténtalo de nuevo dentro de 4 segundos.'),
    ]);
    expect(pageIn('en')).toMatch(/aria-describedby="problem password_hint"(?! aria-invalid)/);
  });

  it("allows a form to redirect to public files, as Chromium checks a form's redirects against form-action", () => {
    expect(
      passwordPage({ acceptLanguage: 'en', problem: undefined, publicOrigin }).headers['Content-Security-Policy'],
    ).toContain(`form-action 'self' ${publicOrigin};`);
  });
});

describe('every page', () => {
  it('is not indexed, framed or cached, and sends no referrer', () => {
    const pages = [
      landingPage(english),
      cardPage({ acceptLanguage: 'en', file: english, url: 'x', imageUrl: undefined }),
      passwordPage({ acceptLanguage: 'en', problem: 'wrong', publicOrigin }),
      overPage({ acceptLanguage: 'en', reason: 'expired' }),
    ];
    for (const { page, headers } of pages) {
      expect(headers).toMatchObject({
        'X-Robots-Tag': 'noindex',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
        'Content-Type': 'text/html; charset=utf-8',
      });
      expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'");
      expect(headers['Content-Security-Policy']).not.toContain('unsafe');
      expect(page).toContain('<meta name="robots" content="noindex" />');
    }
  });
});

describe('failurePage()', () => {
  const failure = {
    message: 'as the contract says',
    isSpecific: false,
    retryAfterSeconds: undefined,
    back: undefined,
    up: '',
  };

  it('has texts in each language for every code that pages of the contract can have', () => {
    const codes = new Set(
      (Object.keys(policies) as OperationId[])
        .filter((id) => policies[id].errorShape === 'page')
        .flatMap((id) => [...codesOfOperation[id]]),
    );
    codes.delete('PRECONDITION_FAILED');
    codes.delete('RANGE_NOT_SATISFIABLE');
    expect(codes.size).toBeGreaterThan(10);
    for (const code of codes) {
      const texts = languages.map((acceptLanguage) => failurePage({ ...failure, acceptLanguage, code }).page);
      expect(new Set(texts.map((text) => /role="alert"[^>]*>([^<]*)/.exec(text)![1])).size, code).toBe(
        languages.length,
      );
      for (const text of texts) expect(text, code).not.toContain(failure.message);
    }
  });

  it('says when to try again', () => {
    const page = (acceptLanguage: string) =>
      failurePage({ ...failure, acceptLanguage, code: 'RATE_LIMITED', retryAfterSeconds: 42 }).page;
    expect([page('en'), page('pt'), page('es')]).toEqual([
      expect.stringContaining('Try again in 42 seconds.'),
      expect.stringContaining('Tente novamente em 42 segundos.'),
      expect.stringContaining('Inténtalo de nuevo dentro de 42 segundos.'),
    ]);
  });

  it('shows a specific refusal message in English, and the translated reason in other languages', () => {
    const page = (acceptLanguage: string) =>
      failurePage({ ...failure, acceptLanguage, isSpecific: true, code: 'INVALID_BODY' }).page;
    expect(page('en')).toContain(failure.message);
    expect(page('pt')).toContain(messagesIn('pt').failure.reasons.INVALID_BODY);
  });
});

describe('previewKindOf()', () => {
  it.each([
    ['image/png', 'image'],
    ['audio/mpeg', 'audio'],
    ['video/mp4', 'video'],
    ['application/pdf', 'pdf'],
    ['Text/Plain; charset=iso-8859-1', 'text'],
    ['application/json', 'text'],
    ['image/svg+xml', undefined],
    ['text/html', undefined],
    ['application/xhtml+xml', undefined],
    ['application/octet-stream', undefined],
    ['', undefined],
  ])('of %s is %s', (contentType, kind) => {
    expect(previewKindOf({ ...uncapped, contentType })).toBe(kind);
  });

  it('is undefined for a link with a cap, for an empty file, and for a file that is too large to preload', () => {
    expect(previewKindOf({ contentType: 'image/png', sizeBytes: 1000, remainingDownloads: 5 })).toBeUndefined();
    expect(
      previewKindOf({ contentType: 'image/png', sizeBytes: 21 * 1024 * 1024, remainingDownloads: null }),
    ).toBeUndefined();
    expect(previewKindOf({ contentType: 'text/plain', sizeBytes: 300_000, remainingDownloads: null })).toBeUndefined();
    expect(previewKindOf({ contentType: 'image/png', sizeBytes: 0, remainingDownloads: null })).toBeUndefined();
    expect(previewKindOf({ contentType: 'video/mp4', sizeBytes: 10 * 1024 ** 3, remainingDownloads: null })).toBe(
      'video',
    );
  });

  it('comes with headers that block all scripts', () => {
    for (const kind of ['image', 'audio', 'video', 'pdf', 'text'] as const) {
      expect(previewHeaders(kind)).toMatchObject({
        'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
        'X-Content-Type-Options': 'nosniff',
      });
    }
    expect(previewHeaders('text')['Content-Type']).toBe('text/plain; charset=utf-8');
  });
});
