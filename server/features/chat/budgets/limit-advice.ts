import { wireNameOf, type AiLimitName } from '#server/domain/account/account-ai-limits.ts';

/** Says who can change a limit of an account, and how. Ends in a full stop. */
export function limitAdvice(accountId: string, name: AiLimitName): string {
  const option = wireNameOf(name).replaceAll('_', '-');
  return `The operator of this server can change this limit: cubby account set-ai-limits ${accountId} --${option} N.`;
}
