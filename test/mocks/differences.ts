import type { OperationId } from '#generated/policies.ts';
import type { Credential, GeneratedRequest } from './generated-requests.ts';

/** The part of a response that the mock and the server must agree on. */
export interface Outcome {
  readonly status: number;
  /** The code of an error, in whatever shape it came. */
  readonly code: string | undefined;
}

/** A known difference: the server refuses with one of these codes, and the mock sends an example. */
export interface KnownDifference {
  readonly codes: readonly string[];
  /** Codes of later checks, which the mock comes to in its place. */
  readonly later?: readonly string[] | 'any';
  /** Undefined for all operations. */
  readonly operations?: readonly OperationId[];
  /** Undefined for all credentials. */
  readonly credential?: Credential;
  readonly why: string;
}

/** All differences between the mock and a server, besides the contents of successes. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    codes: [
      ...[
        'OBJECT_NOT_FOUND',
        'APIKEY_NOT_FOUND',
        'UPLOAD_NOT_FOUND',
        'SHARE_NOT_FOUND',
        'LINK_NOT_FOUND',
        'APP_NOT_FOUND',
      ],
      ...['WEBHOOK_NOT_FOUND', 'invalid_grant', 'expired_token', 'authorization_pending', 'slow_down'],
    ],
    later: ['INVALID_PAYLOAD'],
    why: 'The mock stores nothing, so everything that a request names exists.',
  },
  {
    codes: [
      'OBJECT_ALREADY_EXISTS',
      'APIKEY_LIMIT_REACHED',
      'TOO_MANY_SHARES',
      'TOO_MANY_OPEN_UPLOADS',
      'STORAGE_QUOTA_EXCEEDED',
    ],
    later: ['FILE_TOO_SMALL', 'CHECKSUM_MISMATCH', 'INVALID_FILE', 'INVALID_CONTENT_TYPE'],
    why: 'The mock stores nothing, so nothing is taken or full.',
  },
  {
    codes: ['INVALID_CONTINUATION_TOKEN', 'INVALID_UPLOAD_TOKEN'],
    later: ['EMPTY_CHUNK', 'CHUNK_TOO_LARGE', 'CHECKSUM_MISMATCH'],
    why: 'The mock has no master key, so it cannot tell a forged signature from its own.',
  },
  {
    codes: ['ACCESS_DENIED', 'access_denied'],
    credential: 'wrong',
    later: 'any',
    why: 'The mock accepts every credential that is not empty.',
  },
  {
    codes: ['INVALID_FORM_TOKEN', 'INVALID_USER_CODE', 'MISSING_SCOPE'],
    operations: ['submitActivation', 'submitSharePassword'],
    why: 'The mock has no sessions, and accepts every form.',
  },
];

/** Whether a difference is known. */
export function isKnown({ operation, credential }: GeneratedRequest, server: Outcome, mock: Outcome): boolean {
  return knownDifferences.some(
    (row) =>
      row.codes.includes(server.code ?? '') &&
      (row.operations === undefined || row.operations.includes(operation)) &&
      (row.credential === undefined || row.credential === credential) &&
      (mock.status < 400 || row.later === 'any' || row.later?.includes(mock.code ?? '') === true),
  );
}
