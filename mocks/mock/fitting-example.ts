import type { OperationId } from '#generated/policies.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Preferences } from './preferences.ts';

/** The validated input of an operation. */
export interface Input {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What a request says that a response must not contradict. */
interface ExampleRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Only for uploads by tus and the IETF draft. */
  readUploadHeaders(): ReturnType<Call['readUploadHeaders']>;
}

type Fit = (requested: ExampleRequest) => Preferences;

/** The part of a call that a response may depend on. */
type Sent = Pick<Call, 'readUploadHeaders'>;

const isPrivate = (id: unknown) => typeof id === 'string' && !id.startsWith('pub/');
const named = (example: string): Preferences => ({ example });
const ofVisibility: Fit = ({ query }) => named(query.private === true ? 'private' : 'public');
const ofNumber: Fit = ({ body }) => named('objects' in body ? 'several' : 'one');

/** The draft says itself which request is the last one, and gets the file in its response. */
const ofUpload =
  (status: number): Fit =>
  ({ readUploadHeaders }) => {
    const { protocol, isComplete } = readUploadHeaders();
    return { status: protocol === 'draft' && isComplete ? 200 : status };
  };

/** The page behind each form of the activation page. */
const activationSteps: Readonly<Record<string, Preferences>> = {
  sign_in: named('enterCode'),
  look_up: named('review'),
  approve: { status: 303 },
  refuse: { status: 303 },
  sign_out: named('signedOut'),
};

/** The operations with several successes, of which the request decides. */
const fits: { readonly [id in OperationId]?: Fit } = {
  uploadObject: ofVisibility,
  startChunkedUpload: ofVisibility,
  startUpload: ofUpload(201),
  putUploadBytes: ofUpload(204),
  // The upload of each is that of the start that names it.
  completeChunkedUpload: ({ body }) => named(body.upload === 'example-upload-0002' ? 'unhashed' : 'completed'),
  updateObjects: ofNumber,
  deleteObjects: ofNumber,
  listObjects: ({ query }) => named(query.delimiter === undefined ? 'page' : 'folders'),
  getObjectInfo: ({ query }) => named(isPrivate(query.object) ? 'private' : 'public'),
  getDownloadLink: ({ query }) => (query.redirect === false ? named(linkExample(query)) : { status: 302 }),
  copyObject: ({ body }) => named(body.move === true ? 'moved' : 'copied'),
  createShare: ({ body }) =>
    named(
      body.objects ? 'files' : body.prefix !== undefined ? 'folder' : isPrivate(body.object) ? 'private' : 'public',
    ),
  createUploadToken: ({ body }) => named(typeof body.max_uses === 'number' && body.max_uses > 1 ? 'several' : 'once'),
  setGitWebhook: ({ body }) => named(body.access_token === '@' ? 'removed' : 'set'),
  // A form that opens the file gets it before: see linked-file.ts.
  submitSharePassword: ({ body }) => ({ status: 'password' in body ? 303 : 401 }),
  submitActivation: ({ body }) => activationSteps[String(body.action)] ?? {},
  replaceSettings: ({ body }) => named(Array.isArray(body.rules) && body.rules.length === 0 ? 'none' : 'rules'),
};

/** Returns the name of the example with the address that a download link leads to. */
export function linkExample({ object, disposition, filename }: ExampleRequest['query']): 'private' | 'public' {
  return isPrivate(object) || disposition !== undefined || filename !== undefined ? 'private' : 'public';
}

/** Returns the status or the example that fits a request, or nothing where the first example does. */
export function fittingExample(id: OperationId, { query = {}, body }: Input, call: Sent): Preferences {
  const fields = typeof body === 'object' && body !== null ? (body as ExampleRequest['body']) : {};
  const requested: ExampleRequest = {
    query,
    body: fields,
    readUploadHeaders: () => call.readUploadHeaders(),
  };
  return fits[id]?.(requested) ?? {};
}
