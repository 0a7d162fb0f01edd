import type { S3Operation } from '../context.ts';
import { parameter } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { entryElements, listPage, startAfter } from './list-objects-page.ts';

/** ListObjectVersions: each file with its one version, which clients call `null`. @throws InvalidArgument */
export const listObjectVersions: S3Operation = async (context, request) => {
  const marker = parameter(request, 'key-marker');
  const page = await listPage(context, request, startAfter(marker));
  const { encoded } = page.query;
  return xmlReply('ListVersionsResult', {
    ...page.head,
    KeyMarker: encoded(marker ?? ''),
    VersionIdMarker: parameter(request, 'version-id-marker') ?? '',
    ...(page.next && { NextKeyMarker: encoded(page.last!), NextVersionIdMarker: 'null' }),
    ...entryElements(context, page, {
      name: 'Version',
      facts: { VersionId: 'null', IsLatest: true },
      withOwner: true,
    }),
  });
};
