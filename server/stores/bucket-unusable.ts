/** The configured bucket cannot be used with this data folder. Its message says what to do. */
export class BucketUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BucketUnusable';
  }
}
