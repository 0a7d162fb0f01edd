import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';

/** The bucket answers, but it refuses: the key pair is wrong or lacks a right, or there is no such bucket. */
export class BucketRefused extends BlobStoreFailed {
  constructor(message: string) {
    super(message, undefined);
    this.name = 'BucketRefused';
  }
}
