import { enterCodePage, resultPage, reviewPage, signInPage } from '#server/features/devices/pages/activation.ts';
import { failurePage } from '#server/pages/failure.ts';
import type { PageLanguage } from '#server/pages/language.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import { bundlePage } from '#server/features/shares/pages/share-bundle.ts';
import { requestFormPage } from '#server/features/file-requests/pages/request-form.ts';
import { requestOverPage } from '#server/features/file-requests/pages/request-over.ts';
import { sentPage } from '#server/features/file-requests/pages/request-sent.ts';
import type { RequestFormView } from '#server/features/file-requests/pages/request-view.ts';
import { cardPage } from '#server/features/shares/pages/share-card.ts';
import { landingPage } from '#server/features/shares/pages/share-landing.ts';
import { overPage } from '#server/features/shares/pages/share-over.ts';
import { passwordPage } from '#server/features/shares/pages/share-password.ts';
import type { BundleView, PreviewKind, ShareFileView } from '#server/features/shares/pages/share-view.ts';

/** A page as the server sends it. */
export interface Picture {
  readonly page: string;
  readonly headers: Readonly<Record<string, string>>;
}

const now = Date.UTC(2026, 3, 21, 9, 31);

export const publicOrigin = 'https://public.example.invalid';

/** A file as the gallery's landing pages show it. */
export const lease: Omit<ShareFileView, 'acceptLanguage'> = {
  name: 'Lease 2026, signed.pdf',
  kind: 'pdf',
  contentType: 'application/pdf',
  sizeBytes: 1_918_000,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  expiresAt: now + 5 * 86_400_000,
  now,
  remainingDownloads: 3,
  hasPassword: false,
  title: null,
  message: null,
  downloadUrl: '?download=1',
  form: { action: 'example' },
  publicOrigin: undefined,
  preview: undefined,
};

/** A bundle as the gallery's pages show it. */
const papers: Omit<BundleView, 'acceptLanguage'> = {
  title: 'Papers for May',
  message: null,
  files: [
    { path: 'Lease 2026, signed.pdf', sizeBytes: 1_918_000, place: '1' },
    { path: 'photos/kitchen.jpg', sizeBytes: 812_345, place: '2' },
    { path: 'photos/view from the window in the morning.jpg', sizeBytes: 912, place: '3' },
  ],
  count: 3,
  sizeBytes: 2_731_257,
  page: 1,
  pages: 1,
  downloadUrl: '?download=1',
  form: undefined,
  expiresAt: now + 5 * 86_400_000,
  now,
  remainingDownloads: null,
  hasPassword: false,
};

/** A name of 255 characters with text in both directions, without line breaks, and with markup. */
export const awkwardName = `${'<b>"חוזה" & عقد 👩‍👩‍👧‍👦'}${'x'.repeat(210)}.exe‮fdp.pdf`;

/** A file request as the gallery's pages show it. */
const party: Omit<RequestFormView, 'acceptLanguage'> = {
  title: 'Photos of the party',
  note: 'All that you have, please, in full size.\nThank you!',
  deadlineAt: now + 5 * 86_400_000,
  now,
  extensions: ['jpg', 'png', 'heic', 'mp4'],
  maxFileBytes: 104_857_600,
  filesLeft: 188,
  bytesLeft: 5_320_390_738,
  asksName: true,
  sender: undefined,
  refused: [],
  problem: undefined,
  action: 'example',
  sentUrl: 'example/sent',
  up: '../',
};

/** The page is two levels below the root of its door, and one level below it here. */
function oneUp({ page, headers }: Picture): Picture {
  return { page: page.replaceAll('href="../../pages.', 'href="../pages.'), headers };
}

function uncapped(kind: PreviewKind | undefined, file: Partial<ShareFileView>): Omit<ShareFileView, 'acceptLanguage'> {
  return {
    ...lease,
    remainingDownloads: null,
    form: undefined,
    preview: kind && { kind, url: `../preview/${kind}` },
    ...file,
  };
}

/** Every page that visitors see, in each of its languages. The key is the name in its address. */
export function galleryIn(language: PageLanguage): Readonly<Record<string, Picture>> {
  const acceptLanguage = language;
  const landing = (file: Omit<ShareFileView, 'acceptLanguage'>) => landingPage({ ...file, acceptLanguage });
  const failed = (code: string, { retryAfterSeconds, back }: { retryAfterSeconds?: number; back?: string } = {}) =>
    failurePage({ acceptLanguage, code, message: code, isSpecific: false, retryAfterSeconds, back, up: '../' });
  return {
    landing: landing(lease),
    'landing-last': landing({
      ...lease,
      name: 'holiday.zip',
      kind: 'archive',
      contentType: 'application/zip',
      remainingDownloads: 1,
      expiresAt: now + 70 * 60_000,
      sha256: null,
    }),
    'landing-image': landing(
      uncapped('image', { name: 'sunset over the bay.png', kind: 'image', contentType: 'image/png' }),
    ),
    'landing-audio': landing(uncapped('audio', { name: 'interview.mp3', kind: 'audio', contentType: 'audio/mpeg' })),
    'landing-video': landing(uncapped('video', { name: 'first steps.mp4', kind: 'video', contentType: 'video/mp4' })),
    'landing-text': landing(
      uncapped('text', { name: 'notes.txt', kind: 'text', contentType: 'text/plain', sizeBytes: 812 }),
    ),
    'landing-pdf': landing(uncapped('pdf', {})),
    'landing-awkward': landing({
      ...lease,
      name: awkwardName,
      kind: 'other',
      contentType: 'application/octet-stream',
      sizeBytes: 10_737_418_240,
      remainingDownloads: 10_000,
    }),
    bundle: bundlePage({ ...papers, acceptLanguage }),
    'bundle-awkward': bundlePage({
      ...papers,
      acceptLanguage,
      title: awkwardName,
      message: 'Hello,\nhere they are.',
      files: [awkwardName, `a/very/deep/${'folder/'.repeat(20)}file.txt`].map((path, at) => ({
        ...{ path, sizeBytes: 10_737_418_240, place: String(at + 1) },
      })),
      remainingDownloads: 3,
      form: { action: 'example' },
    }),
    'bundle-pages': bundlePage({ ...papers, acceptLanguage, title: null, count: 1200, page: 2, pages: 3 }),
    'bundle-last': bundlePage({ ...papers, acceptLanguage, remainingDownloads: 0, form: { action: 'example' } }),
    'bundle-empty': bundlePage({ ...papers, acceptLanguage, files: [], count: 0, sizeBytes: 0 }),
    password: passwordPage({ acceptLanguage, problem: undefined, publicOrigin }),
    'password-wrong': passwordPage({ acceptLanguage, problem: 'wrong', publicOrigin }),
    'password-wait': passwordPage({ acceptLanguage, problem: { waitSeconds: 4 }, publicOrigin }),
    exhausted: overPage({ acceptLanguage, reason: 'exhausted' }),
    expired: overPage({ acceptLanguage, reason: 'expired' }),
    'not-found': overPage({ acceptLanguage, reason: 'not-found' }),
    'too-many': failed('RATE_LIMITED', { retryAfterSeconds: 42 }),
    'too-many-after-form': failed('RATE_LIMITED', { retryAfterSeconds: 4, back: 'password' }),
    'cut-short': failed('NOT_FOUND'),
    fault: failed('INTERNAL_SERVER_ERROR'),
    request: requestFormPage({ ...party, acceptLanguage }),
    'request-again': requestFormPage({
      ...party,
      acceptLanguage,
      refused: [
        { name: awkwardName, code: 'FILE_TYPE_NOT_ALLOWED', message: 'This request takes files that end in jpg, png.' },
      ],
    }),
    'request-nameless': requestFormPage({
      ...party,
      acceptLanguage,
      problem: { code: 'INVALID_SENDER_NAME', message: 'sender takes 1 to 80 characters in one line.' },
    }),
    'request-simple': requestFormPage({
      ...party,
      acceptLanguage,
      title: awkwardName,
      note: null,
      deadlineAt: null,
      extensions: null,
      filesLeft: null,
      bytesLeft: null,
      sender: { name: 'Ann' },
    }),
    'request-sent': oneUp(
      sentPage({
        acceptLanguage,
        title: party.title,
        files: [
          { name: 'photos/beach.jpg', sizeBytes: 1_918_000, sha256: lease.sha256, receivedAt: now },
          { name: awkwardName, sizeBytes: 0, sha256: null, receivedAt: now },
        ],
        refused: [{ name: 'a.exe', code: 'BLOCKED_FILE_TYPE', message: 'Programs are not taken.' }],
        receiptUrl: 'receipt',
        formUrl: '../example',
      }),
    ),

    'request-closed': requestOverPage({ acceptLanguage, reason: 'closed', up: '../' }),
    'request-expired': requestOverPage({ acceptLanguage, reason: 'expired', up: '../' }),
    'request-full': requestOverPage({ acceptLanguage, reason: 'full', up: '../' }),
    'request-not-found': requestOverPage({ acceptLanguage, reason: 'not-found', up: '../' }),
    card: cardPage({
      acceptLanguage,
      file: lease,
      url: 'https://files.example.invalid/s/ExampleShare00000000001',
      imageUrl: undefined,
    }),
    'card-hidden': cardPage({
      acceptLanguage,
      file: undefined,
      url: 'https://files.example.invalid/s/ExampleShare00000000001',
      imageUrl: undefined,
    }),
  };
}

/**
 * The pages of device approval, which are in English. They are at the root of their door, so their stylesheet is one
 * level up here.
 */
export function activationGallery(): Readonly<Record<string, Picture>> {
  const picture = (page: string): Picture => ({
    page: page.replaceAll('href="pages.', 'href="../pages.'),
    headers: pageHeaders,
  });
  const review = {
    userCode: 'WDJB-MJHT',
    clientName: 'Cubby CLI on anna-laptop',
    address: '192.0.2.17',
    requestedAt: '21 April 2026 at 09:31 UTC',
    keyEndsAt: '20 July 2026',
    scopes: [
      { name: 'blob:read', text: 'See and download stored files' },
      { name: 'blob:write', text: 'Upload, change and delete files' },
    ],
  };
  return {
    'activation-sign-in': picture(signInPage({ formToken: 'x' })),
    'activation-sign-in-wrong': picture(
      signInPage({ formToken: 'x', problem: 'That API key is not valid. Check it, and try again.' }),
    ),
    'activation-code': picture(enterCodePage({ formToken: 'x' })),
    'activation-review': picture(reviewPage({ formToken: 'x', ...review })),
    'activation-result': picture(
      resultPage({
        title: 'Device approved',
        text: 'Cubby CLI on anna-laptop fetches its key within seconds. You can close this page.',
      }),
    ),
  };
}
