import { partsOf } from './chunk-plan.ts';
import { credentialOf, type Job } from './job.ts';
import { readRecord } from './resume-store.ts';
import { abandon, openSession, sessionOf, type Session } from './session.ts';
import { learnStored } from './stored-parts.ts';
import { UploadError } from './upload-error.ts';

/**
 * Takes up what was remembered of the same file, once its first part is seen to be the same and the credential at hand
 * leads where it was going; `undefined` when there is nothing of the kind. Instead of it, a new one may have been begun.
 *
 * @throws {UploadError}, or the signal's reason
 */
export async function takeUp(job: Job, signal: AbortSignal): Promise<Session | undefined> {
  const { resume, file } = job;
  const record = readRecord(await resume?.store.get(resume.key));
  if (!resume || !record) return undefined;
  const known = record.partSha256[1];
  const isOther = known !== undefined && known !== (await job.sumOf(partsOf(file.size, record.chunkSizeBytes)[0]!));
  signal.throwIfAborted();
  if (isOther) return undefined;
  const session = sessionOf(job, record, true);
  if (record.uploadToken === undefined || resume.isVouched) return session;
  const credential = await credentialOf(job, signal);
  return credential === record.uploadToken ? session : bySameDestination(job, session, signal);
}

/**
 * What a token pins cannot be read from it, only from where an upload leads that it begins. So one is begun: when it leads
 * to the same place it is dropped for the old one, which has parts already, and otherwise it is the one to go on with.
 */
async function bySameDestination(job: Job, old: Session, signal: AbortSignal): Promise<Session | undefined> {
  try {
    await learnStored(job, old, signal);
  } catch (error) {
    if (error instanceof UploadError && !error.retryable) return undefined;
    throw error;
  }
  const fresh = await openSession(job, signal, old);
  if (destination(fresh.id) !== destination(old.id)) return fresh;
  await abandon(job, fresh);
  return old;
}

/** An id without its hash, which is another one each time: account, visibility, folder, name, expiry and ending remain. */
function destination(id: string): string {
  return id.replace(/_[a-z0-9]{16}(?=(-ex[0-9]+h?)?(\.[a-z0-9.]+)?$)/, '');
}
