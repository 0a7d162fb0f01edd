import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { ComparedHeaders } from './compared-headers.ts';
import type { GeneratedRequest } from './generated-requests.ts';
import type { KnownDifference } from './known-difference.ts';

/** The part of a response that the mock and the server must agree on. */
export interface Outcome {
  readonly status: number;
  /** The code of an error, in whatever shape it came. */
  readonly code: string | undefined;
  readonly headers: ComparedHeaders;
}

const ofFeatures = await partsOfFeatures('mocked');

/** All differences between the mock and a server, besides the contents of successes. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    codes: [
      'OBJECT_NOT_FOUND',
      'APIKEY_NOT_FOUND',
      'LINK_NOT_FOUND',
      'APP_NOT_FOUND',
      'ACCOUNT_NOT_FOUND',
      'EVENT_NOT_FOUND',
      'SESSION_NOT_FOUND',
      ...ofFeatures.flatMap(({ notFound = [] }) => notFound),
    ],
    why: 'The mock stores nothing, so everything that a request names exists.',
  },
  {
    codes: ['INVALID_CONTINUATION_TOKEN'],
    operations: [
      'listObjects',
      'listActivity',
      'listAuditEntries',
      'listPurges',
      'listEvents',
      ...ofFeatures.flatMap(({ lists = [] }) => lists),
    ],
    why: 'A cursor belongs to its list and its filters. Every list of the mock has the same cursor.',
  },
  {
    codes: ['UPLOAD_OFFSET_MISMATCH'],
    operations: ofFeatures.flatMap(({ atOffsets = [] }) => atOffsets),
    why: 'The bytes belong at an offset that the server knows. The mock stores none.',
  },
  {
    codes: ['BACKUP_RUNNING'],
    operations: ['startBackup'],
    why: 'The backup of an earlier request still runs. The mock makes none.',
  },
  {
    codes: ['ACCESS_DENIED', 'access_denied'],
    credential: 'wrong',
    later: 'any',
    why: 'The mock accepts every credential that is not empty.',
  },
  ...ofFeatures.flatMap(({ differences = [] }) => differences),
];

/** Returns the row of a difference, if it is known. */
export function knownDifference(
  { operation, credential }: GeneratedRequest,
  server: Outcome,
  mock: Outcome,
): KnownDifference | undefined {
  return knownDifferences.find(
    (row) =>
      row.codes.includes(server.code ?? '') &&
      (row.operations === undefined || row.operations.includes(operation)) &&
      (row.credential === undefined || row.credential === credential) &&
      (mock.status < 400 || row.later === 'any'),
  );
}
