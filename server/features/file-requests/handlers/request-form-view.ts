import { spaceLeftOf } from '../file-request.ts';
import { extensionsOf, maxFileBytesOf } from '../accepted-files.ts';
import type { Sender } from '../sender.ts';
import type { VisitedRequest } from '../visit-request.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import type { RunningHashCache } from '#server/features/uploads/running-hash.ts';
import type { UploadTurns } from '#server/features/uploads/upload-turns.ts';
import type { PasswordTries } from '#server/features/shares/password-tries.ts';
import type { RequestFormView } from '../pages/request-view.ts';
import type { CorePorts, Ports } from '#server/handlers/ports.ts';

/** The ports of the pages of file requests. */
export interface ReceivingDeps extends CorePorts, Pick<Ports, 'blobs' | 'filesHost' | 'noteStored' | 'scrypt'> {
  readonly hashes: RunningHashCache;
  readonly hashing: HashQueue;
  readonly tries: PasswordTries;
  readonly turns: UploadTurns;
  /** Called when a file is stored without its SHA-256, which a job then computes. */
  onUnhashed(): void;
  onFault(error: unknown): void;
}

interface FormSurroundings {
  readonly link: string;
  readonly acceptLanguage: string | undefined;
  readonly sender: Sender | undefined;
  readonly now: number;
}

/** Returns what the page with the form shows. */
export function formView(visited: VisitedRequest, { link, acceptLanguage, sender, now }: FormSurroundings) {
  const { title, note, deadlineAt, hasSenderFolders } = visited.request;
  const left = spaceLeftOf(visited.request);
  return {
    ...{ acceptLanguage, title, note, deadlineAt, now },
    extensions: extensionsOf(visited),
    maxFileBytes: Math.min(maxFileBytesOf(visited), left.bytes ?? Infinity),
    filesLeft: left.files,
    bytesLeft: left.bytes,
    asksName: hasSenderFolders,
    sender,
    refused: [],
    problem: undefined,
    action: link,
    sentUrl: `${link}/sent`,
    up: '../',
  } satisfies RequestFormView;
}
