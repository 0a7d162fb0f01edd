import type { Gateway } from '#test/s3/gateway.ts';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type CompletedPart,
} from '#test/s3/small-client.ts';

const Bucket = 'private';

/** The three requests of a multipart upload into the private bucket, with the client of AWS. */
export function multipartUploads(gateway: () => Gateway) {
  async function begin(Key: string, more: object = {}): Promise<string> {
    return (await gateway().client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))).UploadId!;
  }

  async function put(
    Key: string,
    UploadId: string,
    PartNumber: number,
    Body: Uint8Array,
    more: object = {},
  ): Promise<CompletedPart> {
    const { ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 } =
      await gateway().client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ...more }));
    return { PartNumber, ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 };
  }

  function complete(Key: string, UploadId: string, Parts: CompletedPart[], more: object = {}) {
    return gateway().client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more }),
    );
  }

  return { begin, put, complete };
}
