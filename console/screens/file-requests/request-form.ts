import type { FileRequest, FileRequestChange, NewFileRequest } from '#dist/modules/client/index.js';

import { parseExtensions, parseSize, sizeText } from '../../inputs.ts';
import { instantOf, localInput } from '../../local-time.ts';

/** What the form of a request has, as typed. */
export interface RequestForm {
  readonly title: string;
  readonly prefix: string;
  readonly note: string;
  /** A value of a `datetime-local` field. */
  readonly deadline: string;
  readonly graceMinutes: string;
  readonly maxFiles: string;
  readonly maxBytes: string;
  readonly maxSize: string;
  readonly extensions: string;
  readonly password: 'keep' | 'change' | 'remove';
  readonly newPassword: string;
  readonly senderFolders: boolean;
}

export const emptyForm: RequestForm = {
  title: '',
  prefix: '',
  note: '',
  deadline: '',
  graceMinutes: '60',
  maxFiles: '',
  maxBytes: '',
  maxSize: '',
  extensions: '',
  password: 'change',
  newPassword: '',
  senderFolders: false,
};

export function formOf(request: FileRequest, zone: string | undefined): RequestForm {
  const { max_files: files, max_bytes: bytes, max_size: size } = request;
  return {
    title: request.title,
    prefix: request.prefix,
    note: request.note ?? '',
    deadline: request.deadline === null ? '' : localInput(request.deadline, zone),
    graceMinutes: String(request.grace / 60),
    maxFiles: files === null ? '' : String(files),
    maxBytes: bytes === null ? '' : sizeText(bytes),
    maxSize: size === null ? '' : sizeText(size),
    extensions: request.allowed_extensions?.join(', ') ?? '',
    password: request.password ? 'keep' : 'change',
    newPassword: '',
    senderFolders: request.sender_folders,
  };
}

/** The values that both a new request and a change have. Null is none. */
function valuesOf(form: RequestForm, zone: string | undefined) {
  const extensions = parseExtensions(form.extensions);
  return {
    title: form.title,
    note: form.note.trim() === '' ? null : form.note,
    deadline: instantOf(form.deadline, zone) ?? null,
    grace: Math.round(Number(form.graceMinutes) * 60),
    max_files: form.maxFiles.trim() === '' ? null : Number(form.maxFiles),
    max_bytes: parseSize(form.maxBytes) ?? null,
    max_size: parseSize(form.maxSize) ?? null,
    allowed_extensions: extensions.length === 0 ? null : extensions,
    sender_folders: form.senderFolders,
  };
}

export function newRequestOf(form: RequestForm, zone: string | undefined): NewFileRequest {
  const { title, grace, sender_folders, ...limits } = valuesOf(form, zone);
  const set = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null));
  return {
    title,
    prefix: form.prefix.replace(/\/$/, ''),
    grace,
    sender_folders,
    ...set,
    ...(form.newPassword !== '' && { password: form.newPassword }),
  };
}

/** Returns only what was changed in the form; undefined if nothing was. */
export function changeOf(
  request: FileRequest,
  form: RequestForm,
  zone: string | undefined,
): FileRequestChange | undefined {
  // The form shows a deadline to the minute, so what was not touched is compared as it was shown.
  const before: Readonly<Record<string, unknown>> = valuesOf(formOf(request, zone), zone);
  const changed = Object.fromEntries(
    Object.entries(valuesOf(form, zone)).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
    ),
  );
  const password =
    form.password === 'remove'
      ? { password: null }
      : form.password === 'change' && form.newPassword !== ''
        ? { password: form.newPassword }
        : {};
  const change = { ...changed, ...password };
  return Object.keys(change).length === 0 ? undefined : { id: request.id, ...change };
}
