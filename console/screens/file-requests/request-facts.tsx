import type { FileRequest } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { StateBadge } from './state-badge.tsx';

/** What a request is for, its limits, and what is left of them. */
export function RequestFacts({ request }: { readonly request: FileRequest }) {
  const { requests } = messages();
  const limit = (value: number | null, format: (value: number) => string) =>
    value === null ? requests.noLimit : format(value);
  const left = (value: number | null, format: (value: number) => string) =>
    value === null ? '' : ` (${requests.left(format(value))})`;
  const { max_files: files, max_bytes: bytes, max_size: size } = request;
  return (
    <Facts
      rows={[
        [requests.state, <StateBadge request={request} />],
        [
          requests.folder,
          <>
            <bdi>{request.prefix}/</bdi>
            <p class="hint">{request.sender_folders ? requests.senderFoldersYes : requests.senderFoldersNo}</p>
          </>,
        ],
        [requests.note, request.note !== undefined && <bdi class="lines">{plainText(request.note)}</bdi>],
        [requests.received, requests.receivedText(formatNumber(request.files), formatSize(request.bytes))],
        request.held_files > 0 && [
          requests.underWay,
          requests.receivedText(formatNumber(request.held_files), formatSize(request.held_bytes)),
        ],
        [requests.senders, formatNumber(request.senders)],
        [requests.deadline, request.deadline === null ? requests.noDeadline : <Time at={request.deadline} />],
        [requests.maxFiles, limit(files, formatNumber) + left(request.remaining_files, formatNumber)],
        [requests.maxBytes, limit(bytes, formatSize) + left(request.remaining_bytes, formatSize)],
        [requests.maxSize, limit(size, formatSize)],
        [requests.extensions, request.allowed_extensions?.join(', ') ?? requests.allTypes],
        [requests.password, request.password ? requests.hasPassword : requests.noPassword],
        [requests.created, <Time at={request.created_at} />],
        [requests.closedAt, request.closed_at !== null && <Time at={request.closed_at} />],
      ]}
    />
  );
}
