import { expect, it, vi } from 'vitest';

type RefusedClass = new (status: number, body: object, retryAfterMs?: number) => { readonly isPassing: boolean };

/** A script of the pages, which has no types. */
const script: string = '#server/features/file-requests/pages/sending/request.js';
const { Refused, ask } = (await import(script)) as {
  readonly Refused: RefusedClass;
  readonly ask: (method: string, address: string, options: object) => Promise<unknown>;
};

it.each([
  [409, {}, 2000, true],
  [507, {}, 2000, true],
  [507, {}, undefined, false],
  [501, {}, undefined, false],
  [500, {}, undefined, true],
  [429, {}, undefined, true],
  [409, { code: 'UPLOAD_OFFSET_MISMATCH' }, undefined, true],
  [404, { code: 'FILE_REQUEST_NOT_FOUND' }, undefined, false],
])('the page of a file request sends again after %i %j with a wait of %s: %s', (status, body, waitMs, isPassing) => {
  expect(new Refused(status, body, waitMs).isPassing).toBe(isPassing);
});

/** A connection that sends bytes only when it is told to, and hears nothing. */
class SilentRequest extends EventTarget {
  static last: SilentRequest;
  readonly upload = new EventTarget();
  isAborted = false;

  constructor() {
    super();
    SilentRequest.last = this;
  }

  open(): void {}
  setRequestHeader(): void {}
  send(): void {}

  abort(): void {
    this.isAborted = true;
    this.dispatchEvent(new Event('loadend'));
  }

  move(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }));
  }
}

it('the page of a file request gives up a connection on which nothing has moved for two minutes', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', SilentRequest);
  try {
    const sent: number[] = [];
    const failure = ask('PATCH', '/r/t/uploads/u', { onSent: (bytes: number) => sent.push(bytes) }).catch(
      (error: unknown) => error,
    );
    const request = SilentRequest.last;
    vi.advanceTimersByTime(119_000);
    request.move(7);
    vi.advanceTimersByTime(119_999);
    expect([sent, request.isAborted]).toEqual([[7], false]);
    vi.advanceTimersByTime(1);
    expect(await failure).toMatchObject({ isPassing: true });
    expect([request.isAborted, vi.getTimerCount()]).toEqual([true, 0]);
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});
