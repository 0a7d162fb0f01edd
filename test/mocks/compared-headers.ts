import type { IncomingHttpHeaders } from 'node:http';

import type { OperationId } from '#generated/policies.ts';

/** Headers of the connection, and not of the response. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * The parts of values that are chance, or that are stored. Of these headers, the rest is compared, and that both have
 * them.
 */
const byChance: Readonly<Record<string, RegExp>> = {
  date: /.+/g,
  'x-request-id': /.+/g,
  etag: /.+/g,
  'last-modified': /.+/g,
  'content-length': /.+/g,
  location: /.+/g,
  'upload-offset': /.+/g,
  'upload-expires': /.+/g,
  'x-cubby-receipt': /.+/g,
  // What is left of a limit. Other requests of the account have used it, too.
  ratelimit: /(?<=;[rt]=)\d+/g,
  'x-ratelimit-limit-tokens': /.+/g,
  'x-ratelimit-remaining-tokens': /.+/g,
  'x-ratelimit-reset-tokens': /.+/g,
  // The value of the cookie, and the address for which it is valid.
  'set-cookie': /(?<=^[\w-]+=)[^;]*|(?<=Path=\/[rs]\/)\w+/g,
  'content-disposition': /(?<=filename=).*/g,
};

/** The headers of a response, by name in lower case, as they are compared. */
export type ComparedHeaders = Readonly<Record<string, string>>;

/** Returns the headers to compare. @param own replaces addresses of this server */
export function comparedHeaders(headers: IncomingHttpHeaders, own: (text: string) => string): ComparedHeaders {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofConnection.has(name))
      .map(([name, value]) => {
        const text = own([value].flat().join(', '));
        const varying = byChance[name];
        return [name, varying ? text.replaceAll(varying, '…') : text];
      }),
  );
}

/** Headers in which the mock differs from a server. */
export interface KnownHeaderDifference {
  readonly names: readonly string[];
  /** Undefined for all operations. */
  readonly operations?: readonly OperationId[];
  readonly why: string;
}

/** All headers in which the mock differs. README.md of the mocks has the same rows. */
export const knownHeaderDifferences: readonly KnownHeaderDifference[] = [
  {
    names: ['access-control-allow-headers'],
    why: 'Scripts of other origins may send `Prefer` and `X-Mock-Story`.',
  },
  {
    names: ['upload-complete', 'upload-concat', 'upload-length', 'upload-limit', 'upload-metadata'],
    // A generated request to end an upload may have the method of one that asks for it.
    operations: [
      ...(['startUpload', 'getUpload', 'putUploadBytes', 'deleteUpload'] as const),
      ...(['startSentUpload', 'getSentUpload', 'putSentBytes'] as const),
    ],
    why: 'An upload has the headers of both protocols, and those of a file of the examples.',
  },
  {
    names: ['x-cubby-object', 'x-cubby-url'],
    operations: ['startUpload', 'getUpload', 'putUploadBytes', 'deleteUpload'],
    why: 'An upload is always complete.',
  },
  {
    names: ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
    operations: ['createChatCompletion', 'createEmbeddings', 'createMessage', 'createResponse'],
    why: 'The account of the examples has a limit of requests to the AI gateway.',
  },
  {
    names: ['ratelimit', 'ratelimit-policy'],
    operations: ['createChatCompletion', 'createEmbeddings', 'createMessage', 'createResponse'],
    why: 'The budgets of the AI gateway are not announced, because nothing is spent.',
  },
  {
    names: ['x-cubby-ignored'],
    operations: ['createChatCompletion', 'createMessage', 'createResponse', 'countMessageTokens'],
    why: 'What was left out is that of the example.',
  },
  {
    names: ['ratelimit', 'ratelimit-policy'],
    operations: ['openDownloadLink'],
    why: 'Every link opens a file, so the limit of its account is announced even where the server finds no file.',
  },
  {
    names: ['x-cubby-receipt'],
    operations: ['openDownloadLink', 'openShare', 'submitSharePassword'],
    why: 'A download has no receipt.',
  },
  {
    names: ['content-security-policy'],
    operations: ['openFileRequest'],
    why: 'Pages are those of the examples, without the scripts that some pages of the server have.',
  },
  {
    names: ['content-type'],
    operations: ['openDownloadLink', 'openShare', 'submitSharePassword'],
    why: 'The file behind a link is a picture.',
  },
  {
    names: ['content-type'],
    operations: ['getMetrics'],
    why: 'The metrics are the example, without the version of their format.',
  },
  {
    names: ['set-cookie'],
    operations: ['startSession'],
    why: 'A session is always one for 30 days.',
  },
  {
    names: ['set-cookie'],
    operations: ['showActivationPage', 'submitActivation'],
    why: 'A visitor of the activation page is always signed in.',
  },
];

/** Returns a line for each header that only one has, or that differs. */
export function headerDifferences(
  operation: OperationId,
  server: ComparedHeaders,
  double: ComparedHeaders,
): ReadonlyArray<{ readonly line: string; readonly known: KnownHeaderDifference | undefined }> {
  const names = [...new Set([...Object.keys(server), ...Object.keys(double)])].sort();
  return names
    .filter((name) => server[name] !== double[name])
    .map((name) => ({
      line: `${name}: server ${server[name] ?? 'none'}, double ${double[name] ?? 'none'}`,
      known: knownHeaderDifferences.find(
        ({ names: known, operations }) =>
          known.includes(name) && (operations === undefined || operations.includes(operation)),
      ),
    }));
}
