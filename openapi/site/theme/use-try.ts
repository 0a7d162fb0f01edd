import { nextTick, reactive, ref, type Ref } from 'vue';

import type { TryCall } from '../../build/try-calls.ts';
import { callsOf } from './load-try-calls.ts';
import { ownServer } from './settings.ts';
import { answerOf, type Answer } from './try-answer.ts';
import { headersOf, printed, targetOf } from './try-request.ts';

/** A call that a reader tries: what was typed, and what came back. */
export interface Try {
  readonly call: Ref<TryCall | undefined>;
  /** Why there is no answer; empty if nothing went wrong. */
  readonly problem: Ref<string>;
  readonly answer: Ref<Answer | undefined>;
  readonly isSending: Ref<boolean>;
  /** The parameters, by name. */
  readonly values: Record<string, string>;
  readonly sent: { server: string; port: string; body: string };
  /** The file that the reader has chosen. */
  readonly file: { chosen: File | undefined };
  /** The id of an input, by its name. */
  idOf(name: string): string;
  open(): Promise<void>;
  send(call: TryCall): Promise<void>;
}

/** Returns the state of the call of an operation, which belongs to a page of the reference. */
export function useTry(operation: string, tag: string): Try {
  const state: Try = {
    call: ref(),
    problem: ref(''),
    answer: ref(),
    isSending: ref(false),
    values: reactive({}),
    sent: reactive({ server: 'own', port: '7410', body: '' }),
    file: { chosen: undefined },
    idOf: (name) => `try-${operation}-${name}`,
    async open() {
      try {
        const found = (await callsOf(tag))[operation]!;
        for (const { name, value } of found.parameters) state.values[name] = value;
        state.sent.body = found.body && found.body.value !== 'file' ? printed(found.body) : '';
        state.call.value = found;
        // The button that had the focus is gone.
        await nextTick();
        document.getElementById(state.idOf('server'))?.focus();
      } catch (error) {
        state.problem.value = String((error as Error).message);
      }
    },
    send: (call) => send(state, call),
  };
  return state;
}

/** Returns the address of the chosen server. */
export function addressOf({ sent }: Try, call: TryCall): string {
  return sent.server === 'own' ? call.address : `http://localhost:${sent.port || '7410'}`;
}

async function send(state: Try, call: TryCall): Promise<void> {
  const { answer, problem, isSending } = state;
  isSending.value = true;
  problem.value = '';
  if (answer.value?.download) URL.revokeObjectURL(answer.value.download);
  const fail = (why: string) => {
    answer.value = undefined;
    problem.value = why;
    isSending.value = false;
  };
  let request: Request;
  try {
    request = requestOf(state, call);
  } catch (error) {
    return fail(`This request cannot be sent: ${(error as Error).message}.`);
  }
  const startedAt = performance.now();
  try {
    const response = await fetch(request);
    answer.value = await answerOf(response, Math.round(performance.now() - startedAt));
    isSending.value = false;
  } catch (error) {
    fail(
      `No answer from ${addressOf(state, call)}: ${(error as Error).message}. Is it running, and does it allow this page?`,
    );
  }
}

function requestOf(state: Try, call: TryCall): Request {
  const headers = headersOf(call, state.values);
  if (call.isAuthenticated && ownServer.key) headers.Authorization = `Bearer ${ownServer.key}`;
  const body = sentBody(state, call);
  if (typeof body === 'string') headers['Content-Type'] = call.body!.type;
  return new Request(addressOf(state, call) + targetOf(call, state.values), {
    method: call.method,
    headers,
    ...(body !== undefined && { body }),
    credentials: 'omit',
  });
}

function sentBody({ file, sent }: Try, { body }: TryCall): FormData | Blob | string | undefined {
  if (body?.type === 'multipart/form-data') {
    const form = new FormData();
    const small = () => new File(['A small file to try. '.repeat(40)], 'try.txt', { type: 'text/plain' });
    form.append('file', file.chosen ?? small());
    return form;
  }
  if (body?.value === 'file') return file.chosen ?? new Blob(['A small part to try. '.repeat(40)]);
  return sent.body !== '' && body ? sent.body : undefined;
}
