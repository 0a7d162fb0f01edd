import type { FileRequest } from '#dist/modules/client/index.js';

import { words } from '../../app/words.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { plainText } from '../../objects/plain-text.ts';
import { Time } from '../../ui/time.tsx';
import { StateBadge } from './state-badge.tsx';

/** What a request is for, its limits, and what is left of them. */
export function RequestFacts({ request }: { readonly request: FileRequest }) {
  const { requests } = words();
  const left = (value: number | null, text: string) => (value === null ? '' : ` (${requests.left(text)})`);
  const { max_files: files, max_bytes: bytes, max_size: size } = request;
  return (
    <dl class="facts">
      <dt>{requests.state}</dt>
      <dd>
        <StateBadge request={request} />
      </dd>
      <dt>{requests.folder}</dt>
      <dd>
        <bdi>{request.prefix}/</bdi>
        <p class="hint">{request.sender_folders ? requests.senderFoldersYes : requests.senderFoldersNo}</p>
      </dd>
      {request.note !== undefined && (
        <>
          <dt>{requests.note}</dt>
          <dd class="lines">
            <bdi>{plainText(request.note)}</bdi>
          </dd>
        </>
      )}
      <dt>{requests.received}</dt>
      <dd>{requests.receivedText(formatNumber(request.files), formatSize(request.bytes))}</dd>
      {request.held_files > 0 && (
        <>
          <dt>{requests.underWay}</dt>
          <dd>{requests.receivedText(formatNumber(request.held_files), formatSize(request.held_bytes))}</dd>
        </>
      )}
      <dt>{requests.senders}</dt>
      <dd>{formatNumber(request.senders)}</dd>
      <dt>{requests.deadline}</dt>
      <dd>{request.deadline === null ? requests.noDeadline : <Time at={request.deadline} />}</dd>
      <dt>{requests.maxFiles}</dt>
      <dd>
        {files === null ? requests.noLimit : formatNumber(files)}
        {left(request.remaining_files, formatNumber(request.remaining_files ?? 0))}
      </dd>
      <dt>{requests.maxBytes}</dt>
      <dd>
        {bytes === null ? requests.noLimit : formatSize(bytes)}
        {left(request.remaining_bytes, formatSize(request.remaining_bytes ?? 0))}
      </dd>
      <dt>{requests.maxSize}</dt>
      <dd>{size === null ? requests.noLimit : formatSize(size)}</dd>
      <dt>{requests.extensions}</dt>
      <dd>{request.allowed_extensions?.join(', ') ?? requests.allTypes}</dd>
      <dt>{requests.password}</dt>
      <dd>{request.password ? requests.hasPassword : requests.noPassword}</dd>
      <dt>{requests.created}</dt>
      <dd>
        <Time at={request.created_at} />
      </dd>
      {request.closed_at !== null && (
        <>
          <dt>{requests.closedAt}</dt>
          <dd>
            <Time at={request.closed_at} />
          </dd>
        </>
      )}
    </dl>
  );
}
