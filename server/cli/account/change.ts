import { Refusal } from '#server/domain/refusal.ts';
import { noAccount } from './view.ts';

/**
 * Runs a use case on an account.
 *
 * @throws {Failure} with the operator's own message if the account does not exist
 */
export async function onAccount<T>(accountId: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'ACCOUNT_NOT_FOUND' ? noAccount(accountId) : error;
  });
}
