import type { OperationId } from '#generated/policies.ts';
import type { ComparedHeaders } from './compared-headers.ts';
import type { Credential, GeneratedRequest } from './generated-requests.ts';

/** The part of a response that the mock and the server must agree on. */
export interface Outcome {
  readonly status: number;
  /** The code of an error, in whatever shape it came. */
  readonly code: string | undefined;
  readonly headers: ComparedHeaders;
}

/** A known difference: the server refuses with one of these codes, and the mock sends an example. */
export interface KnownDifference {
  readonly codes: readonly string[];
  /** Whether the mock may come to the code of a later check instead. */
  readonly later?: 'any';
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
      'OBJECT_NOT_FOUND',
      'APIKEY_NOT_FOUND',
      'UPLOAD_NOT_FOUND',
      'SHARE_NOT_FOUND',
      'LINK_NOT_FOUND',
      'APP_NOT_FOUND',
      'ACCOUNT_NOT_FOUND',
      'WEBHOOK_NOT_FOUND',
      'VERSION_NOT_FOUND',
      'EVENT_NOT_FOUND',
      'FOLDER_JOB_NOT_FOUND',
      'FILE_REQUEST_NOT_FOUND',
      'NOTHING_SENT',
      'DEPLOYMENT_NOT_FOUND',
      'DEPLOY_HOOK_NOT_FOUND',
      'COMMIT_STATUS_NOT_FOUND',
      'SESSION_NOT_FOUND',
      'invalid_grant',
    ],
    why: 'The mock stores nothing, so everything that a request names exists.',
  },
  {
    codes: ['CONFLICTING_RESOURCES'],
    operations: ['createAccountKey'],
    why: 'The server looks for the account first. The mock has none to look for.',
  },
  {
    codes: ['invalid_query'],
    operations: ['listAiRequests'],
    why: 'A cursor belongs to its filters. The mock has one for all.',
  },
  {
    codes: ['INVALID_CONTINUATION_TOKEN'],
    operations: [
      'listObjects',
      'listActivity',
      'listAuditEntries',
      'listPurges',
      'listShares',
      'listShareFiles',
      'listFileRequests',
      'listEvents',
      'listTrash',
      'listWebhookDeliveries',
      'getDeploymentLogs',
    ],
    why: 'A cursor belongs to its list and its filters. Every list of the mock has the same cursor.',
  },
  {
    codes: ['INVALID_FILE'],
    operations: ['submitFiles'],
    why: 'The form may have other parts. The mock reads none, so it does not miss the file.',
  },
  {
    codes: ['UPLOAD_OFFSET_MISMATCH'],
    operations: ['putUploadBytes', 'putSentBytes'],
    why: 'The bytes belong at an offset that the server knows. The mock stores none.',
  },
  {
    codes: ['INVALID_CONTENT_TYPE'],
    operations: ['submitFiles'],
    why: 'The form is read once its page is found. The mock has no pages.',
  },
  {
    codes: ['BACKUP_RUNNING'],
    operations: ['startBackup'],
    why: 'The backup of an earlier request still runs. The mock makes none.',
  },
  {
    codes: ['DEPLOY_HOOK_NOT_FOUND'],
    operations: ['startHookDeploy'],
    later: 'any',
    why: 'The server looks the hook up before it reads the body. Every hook of the mock exists.',
  },
  {
    codes: ['FILE_REQUEST_NOT_FOUND'],
    operations: ['startSentUpload'],
    later: 'any',
    why: 'The server looks the page up before it reads the body. Every page of the mock exists.',
  },
  {
    codes: ['ACCESS_DENIED', 'access_denied'],
    credential: 'wrong',
    later: 'any',
    why: 'The mock accepts every credential that is not empty.',
  },
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
