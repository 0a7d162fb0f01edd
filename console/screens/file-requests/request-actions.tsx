import { deleteFileRequest, updateFileRequest, type FileRequest } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { LinkDialog } from '../../ui/link-dialog.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { RequestDialog } from './request-dialog.tsx';

export interface RequestActions {
  create(): Promise<void>;
  link(request: FileRequest): Promise<void>;
  change(request: FileRequest): Promise<void>;
  close(request: FileRequest): Promise<void>;
  reopen(request: FileRequest): Promise<void>;
  remove(request: FileRequest): Promise<void>;
}

/** Returns what can be done with requests. `onChange` is told of each change, without a request if it is deleted. */
export function requestActions(onChange: (request?: FileRequest) => void): RequestActions {
  const { fileRequests } = messages();
  const link = async ({ url }: FileRequest) => {
    // Only keys that may write see it, and they alone have this action.
    if (url === null) return;
    await openDialog<void>((close) => <LinkDialog title={fileRequests.linkTitle} url={url} close={close} />);
  };
  return {
    link,
    async create() {
      const created = await openDialog<FileRequest>((close) => <RequestDialog close={close} />);
      if (!created) return;
      onChange(created);
      await link(created);
    },
    async change(request) {
      const changed = await openDialog<FileRequest>((close) => <RequestDialog request={request} close={close} />);
      if (!changed) return;
      toast(fileRequests.changed);
      onChange(changed);
    },
    async close({ id }) {
      const run = async () => onChange(await ask(updateFileRequest({ body: { id, state: 'closed' } })));
      const { closeTitle: title, closeText: text, close: action } = fileRequests;
      if (await confirm({ title, text, action, run })) toast(fileRequests.closed);
    },
    async reopen(request) {
      try {
        onChange(await ask(updateFileRequest({ body: { id: request.id, state: 'open' } })));
        toast(fileRequests.reopened);
      } catch (error) {
        toastError(error);
      }
    },
    async remove({ id }) {
      const run = async () => void (await send(deleteFileRequest({ body: { id } })));
      const { deleteTitle: title, deleteText: text, delete: action } = fileRequests;
      if (!(await confirm({ title, text, action, run }))) return;
      toast(fileRequests.deleted);
      onChange();
    },
  };
}
