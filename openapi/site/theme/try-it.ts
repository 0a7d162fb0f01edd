import { defineComponent, h, nextTick, reactive, ref, type VNode } from 'vue';
import { useData } from 'vitepress';

import { curlSample } from '../../build/samples/curl.ts';
import type { TryCall } from '../../build/try-calls.ts';
import { answerOf, answerView, type Answer } from './try-answer.ts';
import { callsOf } from './load-try-calls.ts';
import { bodyOf, headersOf, printed, targetOf } from './try-request.ts';
import { withOwn } from './own-samples.ts';
import { ownServer } from './settings.ts';

/** Sends one operation to a server that the reader chooses, and shows the answer and the same call as curl. */
export const TryIt = defineComponent({
  name: 'TryIt',
  props: { operation: { type: String, required: true } },
  setup({ operation }) {
    const { page } = useData();
    const tag = page.value.relativePath.replace(/^reference\/|\.md$/g, '');
    const call = ref<TryCall>();
    const problem = ref('');
    const answer = ref<Answer>();
    const isSending = ref(false);
    const values = reactive<Record<string, string>>({});
    const sent = reactive({ server: 'own', port: '7410', body: '' });
    let file: File | undefined;

    async function open(): Promise<void> {
      try {
        const found = (await callsOf(tag))[operation]!;
        for (const { name, value } of found.parameters) values[name] = value;
        sent.body = found.body && found.body.value !== 'file' ? printed(found.body) : '';
        call.value = found;
        // The button that had the focus is gone.
        await nextTick();
        document.getElementById(idOf('server'))?.focus();
      } catch (error) {
        problem.value = String((error as Error).message);
      }
    }

    const addressOf = (one: TryCall): string =>
      sent.server === 'own' ? one.address : `http://localhost:${sent.port || '7410'}`;

    function fail(why: string): void {
      answer.value = undefined;
      problem.value = why;
      isSending.value = false;
    }

    async function send(one: TryCall): Promise<void> {
      isSending.value = true;
      problem.value = '';
      if (answer.value?.download) URL.revokeObjectURL(answer.value.download);
      const headers = headersOf(one, values);
      if (one.isAuthenticated && ownServer.key) headers.Authorization = `Bearer ${ownServer.key}`;
      let body: BodyInit | undefined;
      if (one.body?.type === 'multipart/form-data') {
        const form = new FormData();
        form.append('file', file ?? new File(['A small file to try. '.repeat(40)], 'try.txt', { type: 'text/plain' }));
        body = form;
      } else if (one.body?.value === 'file') body = file ?? new Blob(['A small part to try. '.repeat(40)]);
      else if (sent.body !== '' && one.body) {
        body = sent.body;
        headers['Content-Type'] = one.body.type;
      }
      let request: Request;
      try {
        request = new Request(addressOf(one) + targetOf(one, values), {
          method: one.method,
          headers,
          ...(body !== undefined && { body }),
          credentials: 'omit',
        });
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
          `No answer from ${addressOf(one)}: ${(error as Error).message}. Is it running, and does it allow this page?`,
        );
      }
    }

    const idOf = (name: string) => `try-${operation}-${name}`;
    const input = (name: string, label: string, attributes: Readonly<Record<string, unknown>>): VNode =>
      h('div', [h('label', { for: idOf(name) }, label), h('input', { id: idOf(name), ...attributes })]);

    function form(one: TryCall): VNode {
      const fields = one.parameters.map(({ name, place, isRequired }) =>
        input(name, `${name}${isRequired ? ' (required)' : ''}, ${place}`, {
          value: values[name],
          spellcheck: 'false',
          autocomplete: 'off',
          onInput: (event: Event) => void (values[name] = (event.target as HTMLInputElement).value),
        }),
      );
      const servers = [
        h('label', { for: idOf('server') }, 'Server'),
        h(
          'select',
          {
            id: idOf('server'),
            value: sent.server,
            onChange: (event: Event) => {
              sent.server = (event.target as HTMLSelectElement).value;
              if (sent.server !== 'own') sent.port = sent.server === 'mock' ? '7410' : '7400';
            },
          },
          [
            h('option', { value: 'own' }, `This server, ${one.address}`),
            h('option', { value: 'sandbox' }, 'A sandbox on this machine'),
            h('option', { value: 'mock' }, 'The mock on this machine'),
          ],
        ),
        sent.server === 'own'
          ? undefined
          : input('port', 'Port', {
              value: sent.port,
              inputmode: 'numeric',
              onInput: (event: Event) =>
                void (sent.port = (event.target as HTMLInputElement).value.replaceAll(/\D/g, '')),
            }),
      ];
      const isFile = one.body?.value === 'file';
      const body = !one.body
        ? undefined
        : isFile
          ? input('file', 'File (without one, a small text is sent)', {
              type: 'file',
              onChange: (event: Event) => void (file = (event.target as HTMLInputElement).files?.[0]),
            })
          : h('div', [
              h('label', { for: idOf('body') }, `Body, ${one.body.type}`),
              h('textarea', {
                id: idOf('body'),
                spellcheck: 'false',
                value: sent.body,
                onInput: (event: Event) => void (sent.body = (event.target as HTMLTextAreaElement).value),
              }),
            ]);
      const { body: _body, ...rest } = one;
      const shownBody = bodyOf(one, sent.body);
      const sample = curlSample({
        ...rest,
        ...(shownBody && { body: shownBody }),
        address: addressOf(one),
        target: targetOf(one, values),
        headers: headersOf(one, values),
      });
      // The command calls the chosen server, not the address at the top of the page.
      const curl = withOwn(sample, { address: '', key: ownServer.key }, addressOf(one));
      return h(
        'form',
        {
          onSubmit: (event: Event) => {
            event.preventDefault();
            void send(one);
          },
        },
        [
          ...servers,
          ...fields,
          body,
          one.isAuthenticated && !ownServer.key
            ? h('p', { class: 'note' }, 'Enter your key at the top of this page. Without it the server answers 401.')
            : undefined,
          h('button', { class: 'first', disabled: isSending.value }, isSending.value ? 'Sending …' : 'Send'),
          h('p', { class: 'note' }, 'The same as a command:'),
          h('pre', { tabindex: 0 }, h('code', curl)),
        ],
      );
    }

    return () =>
      h('div', { class: 'try-it', role: 'group', 'aria-label': `Try ${operation}` }, [
        call.value ? form(call.value) : h('button', { type: 'button', onClick: () => void open() }, 'Try it'),
        h('div', { role: 'status' }, [
          problem.value ? h('p', problem.value) : undefined,
          answer.value ? answerView(answer.value) : undefined,
        ]),
      ]);
  },
});
