/** The configured bucket cannot be used with this data folder. Its message says what to do. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable';
}
