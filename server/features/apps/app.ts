/** An application of an account. Deploys and edge errors belong to one. */
export interface App {
  /** `app_` and 16 letters and digits, except for the built-in one: see {@link builtInAppId}. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /**
   * Whether it is the built-in one, which counts the errors of the account's public files and links. Each account has
   * one.
   */
  readonly isBuiltIn: boolean;
}

/** Returns the id of an account's built-in application, without a look-up. */
export function builtInAppId(accountId: string): string {
  return `app_${accountId}`;
}

/** Returns the built-in application of an account, which is not stored yet. */
export function builtInApp(accountId: string, createdAt: number): App {
  return { id: builtInAppId(accountId), accountId, name: 'files and links', createdAt, isBuiltIn: true };
}
