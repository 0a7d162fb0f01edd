import { listFileRequests, type FileRequest } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { LinkCard } from '../../ui/link-card.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ReceivedFiles } from './received-files.tsx';
import { requestActions } from './request-actions.tsx';
import { RequestFacts } from './request-facts.tsx';

/** One request: its link, its limits and what has arrived. */
export function RequestPage({ id }: { readonly id: string }) {
  const { fileRequests, screens } = messages();
  const resource = useResource<FileRequest | null>(
    async (signal) => (await ask(listFileRequests({ query: { id }, signal }))).file_requests[0] ?? null,
    [id],
  );
  const { data: request, error, reload } = resource;
  const actions = requestActions((changed) => {
    if (changed) resource.set(changed);
    else navigate(href(['requests']));
  });
  if (request === null)
    return (
      <Screen title={fileRequests.missing} lead={fileRequests.missingText}>
        <a class="button" href={href(['requests'])}>
          {fileRequests.toList}
        </a>
      </Screen>
    );
  if (!request)
    return (
      <Screen title={screens.requests}>
        {error === undefined ? <Skeleton /> : <Problem error={error} onRetry={reload} />}
      </Screen>
    );
  return (
    <Screen
      title={<bdi>{plainText(request.title)}</bdi>}
      lead={<a href={href(['requests'])}>{screens.requests}</a>}
      actions={hasScope('blob:write') && <Buttons request={request} actions={actions} />}
    >
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      <div class="request-page">
        <section class="card">
          <RequestFacts request={request} />
        </section>
        {request.url !== null && (
          <section class="card">
            <h2>{fileRequests.link}</h2>
            <LinkCard url={request.url} />
          </section>
        )}
        <section class="wide">
          <h2>{fileRequests.files}</h2>
          {request.files === 0 ? (
            <Empty icon="inbox" title={fileRequests.filesNone} />
          ) : (
            <ReceivedFiles prefix={request.prefix} seen={request.files} />
          )}
        </section>
        <Receipts />
      </div>
    </Screen>
  );
}

function Buttons({
  request,
  actions,
}: {
  readonly request: FileRequest;
  readonly actions: ReturnType<typeof requestActions>;
}) {
  const { fileRequests } = messages();
  return (
    <>
      <Button icon="edit" onClick={() => void actions.change(request)}>
        {fileRequests.change}
      </Button>
      {request.state === 'open' ? (
        <Button icon="lock" onClick={() => void actions.close(request)}>
          {fileRequests.close}
        </Button>
      ) : (
        <Button icon="inbox" onClick={() => void actions.reopen(request)}>
          {fileRequests.reopen}
        </Button>
      )}
      <Button icon="trash" onClick={() => void actions.remove(request)}>
        {fileRequests.delete}
      </Button>
    </>
  );
}

/** Where senders' receipts can be checked. */
function Receipts() {
  const { fileRequests } = messages();
  return (
    <section class="card wide">
      <h2>{fileRequests.receipts}</h2>
      <p>
        {fileRequests.receiptsText}{' '}
        <a href="/v1/receipts/keys" target="_blank" rel="noreferrer">
          {fileRequests.receiptsLink}
        </a>
      </p>
    </section>
  );
}
