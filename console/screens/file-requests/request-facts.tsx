import type { FileRequest } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { StateBadge } from './state-badge.tsx';

/** What a request is for, its limits, and what is left of them. */
export function RequestFacts({ request }: { readonly request: FileRequest }) {
  const { fileRequests } = messages();
  const limit = (value: number | null, format: (value: number) => string) =>
    value === null ? fileRequests.noLimit : format(value);
  const left = (value: number | null, format: (value: number) => string) =>
    value === null ? '' : ` (${fileRequests.left(format(value))})`;
  const { max_files: files, max_bytes: bytes, max_size: size } = request;
  return (
    <Facts
      rows={[
        [fileRequests.state, <StateBadge request={request} />],
        [
          fileRequests.folder,
          <>
            <bdi>{request.prefix}/</bdi>
            <p class="hint">{request.sender_folders ? fileRequests.senderFoldersYes : fileRequests.senderFoldersNo}</p>
          </>,
        ],
        [fileRequests.note, request.note !== undefined && <bdi class="lines">{plainText(request.note)}</bdi>],
        [fileRequests.received, fileRequests.receivedText(formatNumber(request.files), formatSize(request.bytes))],
        request.held_files > 0 && [
          fileRequests.underWay,
          fileRequests.receivedText(formatNumber(request.held_files), formatSize(request.held_bytes)),
        ],
        [fileRequests.senders, formatNumber(request.senders)],
        [fileRequests.deadline, request.deadline === null ? fileRequests.noDeadline : <Time at={request.deadline} />],
        [fileRequests.maxFiles, limit(files, formatNumber) + left(request.remaining_files, formatNumber)],
        [fileRequests.maxBytes, limit(bytes, formatSize) + left(request.remaining_bytes, formatSize)],
        [fileRequests.maxSize, limit(size, formatSize)],
        [fileRequests.extensions, request.allowed_extensions?.join(', ') ?? fileRequests.allTypes],
        [fileRequests.password, request.password ? fileRequests.hasPassword : fileRequests.noPassword],
        [fileRequests.created, <Time at={request.created_at} />],
        [fileRequests.closedAt, request.closed_at !== null && <Time at={request.closed_at} />],
      ]}
    />
  );
}
