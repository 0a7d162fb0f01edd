import type { S3Operation } from '../context.ts';
import { parameter } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { entryElements, listPage, startAfter } from './list-objects-page.ts';

/** ListObjects, the first version. */
export const listObjects: S3Operation = async (context, request) => {
  const marker = parameter(request, 'marker');
  const page = await listPage(context, request, startAfter(marker));
  const { encoded, delimiter } = page.query;
  return xmlReply('ListBucketResult', {
    ...page.head,
    Marker: encoded(marker ?? ''),
    // S3 sends it only with a delimiter. Without one, clients go on from the last key.
    NextMarker: page.next === undefined || delimiter === '' ? undefined : encoded(page.last!),
    ...entryElements(context, page, true),
  });
};
