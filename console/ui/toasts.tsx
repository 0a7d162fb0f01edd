import { effect, signal } from '@preact/signals';

import { ApiError } from '../app/api-error.ts';
import { messages } from '../app/messages.ts';
import { session } from '../app/session-state.ts';
import { Button, IconButton } from './button.tsx';
import { ErrorCode, errorText } from './problem.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly code?: string;
  readonly action?: ToastAction;
}

/** What a message offers, such as to undo what it tells of. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const shownMs = 6_000;

/** Long enough to find the button by keys. */
const offeredMs = 20_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

// The next person must not undo what this one did.
effect(() => {
  if (!session.value) toasts.value = toasts.peek().filter(({ action }) => action === undefined);
});

/** Says for some seconds that something was done. */
export function toast(text: string, action?: ToastAction): void {
  const id = show({ text, ...(action && { action }) });
  setTimeout(() => dismiss(id), action ? offeredMs : shownMs);
}

/** Says that something failed, until it is closed. */
export function toastError(error: unknown): void {
  show({ text: errorText(error), ...(error instanceof ApiError && { code: error.code }) });
}

function show(said: Omit<Toast, 'id'>): number {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-3), { id, ...said }];
  return id;
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Shows the messages, and reads them to screen readers. The shell has it once. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, code, action }) => (
        <div key={id} class={code === undefined ? 'toast' : 'toast failed'}>
          <p>
            {text} {code !== undefined && <ErrorCode code={code} />}
          </p>
          {action && (
            <Button
              icon="undo"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton icon="close" label={messages().common.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
