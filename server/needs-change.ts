/**
 * A start fails, and fails again until somebody changes a setting or the data folder. The message is for the operator.
 * Everything that may pass by itself, such as a database that does not respond, is another error.
 */
export class NeedsChange extends Error {
  override readonly name: string = 'NeedsChange';
}
