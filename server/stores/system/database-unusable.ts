/** The database cannot be used. The message is one line that says why and what to do. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable';
}
