/** The checksum of one request's bytes. */
export interface BodyChecksum {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512' | 'md5';
  readonly value: Buffer;
}
