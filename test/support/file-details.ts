import type { FileDetails } from '#server/domain/events/event-details.ts';

/** Returns what an event says about a made-up file. */
export function fileDetails(id: string, more: Partial<FileDetails> = {}): FileDetails {
  return {
    object: {
      id,
      sizeBytes: 3,
      etag: '6f5902ac237024bdd0c176cb93063dc4',
      sha256: null,
      contentType: 'application/pdf',
      isPrivate: id.startsWith('prv/'),
      createdAt: 1_700_000_000_000,
      expiresAt: null,
      originalName: null,
      metadata: {},
    },
    auth: 'api_key',
    ...more,
  };
}
