import type { Account } from '#server/domain/account/account.ts';
import { isClosed } from '#server/domain/account/closed-account.ts';
import { isAtLeast } from '#server/domain/plan.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { listRules } from '#server/features/rules/list-rules.ts';
import { ruleFor, type Rule } from '#server/features/rules/rule.ts';
import { isSharePassFor } from '#server/features/shares/share-pass.ts';
import { refusalOfUpload, type FileRequest } from './file-request.ts';
import { findByLink } from './link.ts';

interface VisitDeps {
  readonly metadata: Reads<'accounts' | 'fileRequests' | 'rules'>;
  readonly secrets: Pick<Secrets, 'finders' | 'verify'>;
  readonly clock: Clock;
}

interface FindDeps {
  readonly metadata: Reads<'accounts' | 'fileRequests'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** A request as a sender finds it. */
export interface VisitedRequest {
  readonly request: FileRequest;
  readonly account: Account;
  /** The rule of its folder, if there is one. */
  readonly rule: Rule | undefined;
}

/** Finds a request by the secret in its address. Undefined when it is unknown or deleted, or its account is closed. */
export async function findRequest(
  { metadata, secrets }: FindDeps,
  link: string,
): Promise<Pick<VisitedRequest, 'request' | 'account'> | undefined> {
  const request = await findByLink(metadata.read, secrets, link);
  const account = request && (await metadata.read.accounts.find(request.accountId));
  return request && account && !isClosed(account) ? { request, account } : undefined;
}

/** Returns the account of a request, for its rate limits. Undefined when {@link findRequest} finds none. */
export async function requestOwner(deps: FindDeps, link: string): Promise<string | undefined> {
  return (await findRequest(deps, link))?.account.id;
}

/** Names a request to the functions for passwords of links. */
export function lockOf({ id, passwordHash }: Pick<FileRequest, 'id' | 'passwordHash'>) {
  return { id: `file-request:${id}`, passwordHash };
}

/**
 * Opens a request for a sender.
 *
 * @param pass that the client got for the password
 * @throws FILE_REQUEST_NOT_FOUND when it is unknown or deleted, or its account is closed. The cases look the same
 * @throws FILE_REQUEST_CLOSED, also when the plan of the account takes no uploads
 * @throws FILE_REQUEST_EXPIRED
 * @throws FILE_REQUEST_PASSWORD_REQUIRED unless the password was given
 */
export async function visitRequest(
  deps: VisitDeps,
  { link, pass }: { readonly link: string; readonly pass: string | undefined },
): Promise<VisitedRequest> {
  const found = await findRequest(deps, link);
  if (!found) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  return admit(deps, found, { pass, begunAt: deps.clock.now() });
}

/**
 * Does the same for a request that was found. An upload that began before the deadline may go on for the grace.
 *
 * @param entry.begunAt when the upload began
 */
export async function admit(
  { metadata, secrets, clock }: VisitDeps,
  { request, account }: Pick<VisitedRequest, 'request' | 'account'>,
  { pass, begunAt }: { readonly pass: string | undefined; readonly begunAt: number },
): Promise<VisitedRequest> {
  const now = clock.now();
  const code = isAtLeast(account.plan, 'hobby') ? refusalOfUpload(request, begunAt, now) : 'FILE_REQUEST_CLOSED';
  if (code !== undefined) throw new Refusal(code);
  const isOpen =
    request.passwordHash === null || (pass !== undefined && isSharePassFor(secrets, lockOf(request), pass, now));
  if (!isOpen) throw new Refusal('FILE_REQUEST_PASSWORD_REQUIRED');
  const rule = ruleFor(await listRules({ metadata }, account.id), `${request.prefix}/`);
  return { request, account, rule };
}
