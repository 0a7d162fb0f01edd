/** An application of an account: what deploys and errors at the edge are told apart by. */
export interface App {
  /** `app_` and 16 letters and digits; that of the built-in one see {@link builtInAppId}. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /**
   * Whether it is the account's own, to which the errors of its public files and links are counted. Each account has
   * one.
   */
  readonly isBuiltIn: boolean;
}

/** The id of the application that is made with an account: whoever counts its errors need not look it up. */
export function builtInAppId(accountId: string): string {
  return `app_${accountId}`;
}

/** The application that is made with an account. */
export function builtInApp(accountId: string, createdAt: number): App {
  return { id: builtInAppId(accountId), accountId, name: 'files and links', createdAt, isBuiltIn: true };
}
