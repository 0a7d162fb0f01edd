import { eventId, type StoredEvent } from '#server/domain/events/event.ts';
import { parseObjectId, type Space } from '#server/domain/object-id.ts';
import type { WebhookFormat } from '../webhook.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { wireEvent } from './wire-event.ts';

/**
 * Returns the body that a webhook sends for an event. Amazon's form has only files: tests and replays may be about
 * others.
 */
export function webhookBody(format: WebhookFormat, event: StoredEvent): string {
  return JSON.stringify(format === 's3' && isFileEvent(event) ? s3Records(event) : wireEvent(event));
}

type FileEvent = Extract<StoredEvent, { type: `object.${string}` }>;

function isFileEvent(event: StoredEvent): event is FileEvent {
  return event.type.startsWith('object.');
}

/** The buckets of the gateway, by the space of a file. */
const buckets: Readonly<Record<Space, string>> = { public: 'public', private: 'private', legacy: 'legacy' };

/**
 * Returns an event in the form of Amazon S3. A move, and a change of the id, is the removal of the former key and the
 * creation of the new one.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
function s3Records(event: FileEvent): { Records: readonly object[] } {
  const { object, from } = event.data;
  const { id, sizeBytes, etag } = object;
  const isRemoved = event.type === 'object.deleted' || event.type === 'object.expired';
  const removed = from !== undefined && from !== id ? [s3Record(event, 'ObjectRemoved:Delete', from, {})] : [];
  const name = isRemoved ? removalName(event) : creationName(event);
  return { Records: [...removed, s3Record(event, name, id, isRemoved ? {} : { size: sizeBytes, eTag: etag })] };
}

function removalName({ type }: StoredEvent): string {
  return type === 'object.expired' ? 'LifecycleExpiration:Delete' : 'ObjectRemoved:Delete';
}

function creationName({ data }: FileEvent): string {
  return data.source !== undefined || data.from !== undefined ? 'ObjectCreated:Copy' : 'ObjectCreated:Put';
}

function s3Record(event: StoredEvent, eventName: string, objectId: string, file: object): object {
  const { space, key } = parseObjectId(objectId, event.accountId);
  const bucket = buckets[space];
  return {
    eventVersion: '2.1',
    eventSource: 'aws:s3',
    awsRegion: 'auto',
    eventTime: timestamp(event.at),
    eventName,
    userIdentity: { principalId: event.accountId },
    requestParameters: {},
    responseElements: { 'x-amz-request-id': eventId(event) },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: 'cubby',
      bucket: { name: bucket, ownerIdentity: { principalId: event.accountId }, arn: `arn:aws:s3:::${bucket}` },
      // "The key name value is URL encoded", with + for a blank.
      object: {
        key: encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+'),
        ...file,
        sequencer: event.sequence.toString(16).toUpperCase().padStart(16, '0'),
      },
    },
  };
}
