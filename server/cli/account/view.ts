import type { Account } from '#server/domain/account/account.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import { Failure, type Stores } from '../operator.ts';

/** Formats the usage: `3 files, 1.5 GiB of 10 GiB`. */
export function usageText(account: Account): string {
  const files = account.usedObjects === 1 ? '1 file' : `${account.usedObjects} files`;
  return `${files}, ${sizeText(account.usedBytes)} of ${sizeText(quotaBytesOf(account))}`;
}

/** Returns a sentence about the usage, and a warning if it exceeds the quota. */
export function storesText(account: Account): string {
  const isOver = account.usedBytes > quotaBytesOf(account);
  const warning =
    'It stores more than its quota. Nothing is deleted, but files that need more space are ' +
    'rejected until some is free.';
  return `It stores ${usageText(account)}.${isOver ? `\n${warning}` : ''}`;
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

export function noAccount(accountId: string): Failure {
  return new Failure(`There is no account ${accountId}. "cubby account list" shows all of them.`);
}

/**
 * Finds an account.
 *
 * @throws {Failure} if it does not exist
 */
export async function findAccount({ metadata }: Pick<Stores, 'metadata'>, accountId: string): Promise<Account> {
  const account = await metadata.read.accounts.find(accountId);
  if (!account) throw noAccount(accountId);
  return account;
}
