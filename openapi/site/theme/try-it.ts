import { defineComponent, h, reactive, ref, type VNode } from 'vue';
import { useData, withBase } from 'vitepress';

import { curlSample } from '../../build/samples/curl.ts';
import type { TryCall } from '../../build/try-calls.ts';
import { ownServer, keyPlaceholder } from './settings.ts';

/** What came back of a call. */
interface Answer {
  readonly status: string;
  readonly milliseconds: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly text: string;
  /** An address of this tab at which bytes can be saved. */
  readonly download?: string;
}

/** The calls of each tag's page, loaded once when the reader opens the first of them. */
const loaded = new Map<string, Promise<Readonly<Record<string, TryCall>>>>();

function callsOf(tag: string): Promise<Readonly<Record<string, TryCall>>> {
  const known =
    loaded.get(tag) ??
    fetch(withBase(`/try/${tag}.json`)).then((response) => {
      if (!response.ok) throw new Error(`The calls of this page could not be loaded (${response.status}).`);
      return response.json() as Promise<Record<string, TryCall>>;
    });
  loaded.set(tag, known);
  known.catch(() => loaded.delete(tag));
  return known;
}

const longestShown = 20_000;

async function answerOf(response: Response, milliseconds: number): Promise<Answer> {
  const type = response.headers.get('Content-Type') ?? '';
  const bytes = await response.blob();
  const shared = {
    status: `${response.status} ${response.statusText}`.trim(),
    milliseconds,
    headers: [...response.headers],
  };
  if (!/json|text|xml|yaml/.test(type) && bytes.size > 0)
    return { ...shared, text: `${bytes.size} bytes of ${type || 'no type'}`, download: URL.createObjectURL(bytes) };
  const text = await bytes.text();
  let pretty = text;
  if (type.includes('json')) {
    try {
      pretty = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Shown as it came.
    }
  }
  return { ...shared, text: pretty.slice(0, longestShown) };
}

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
      } catch (error) {
        problem.value = String((error as Error).message);
      }
    }

    const printed = ({ type, value }: NonNullable<TryCall['body']>): string =>
      type === 'application/x-www-form-urlencoded'
        ? new URLSearchParams(value as Record<string, string>).toString()
        : typeof value === 'string'
          ? value
          : JSON.stringify(value, null, 2);

    const addressOf = (one: TryCall): string =>
      sent.server === 'own' ? one.address : `http://localhost:${sent.port || '7410'}`;

    function targetOf(one: TryCall): string {
      let path = one.path;
      const query: string[] = [];
      for (const { name, place } of one.parameters) {
        const value = values[name] ?? '';
        if (place === 'path') path = path.replace(`{${name}}`, value.split('/').map(encodeURIComponent).join('/'));
        else if (place === 'query' && value !== '')
          query.push(`${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`);
      }
      return query.length > 0 ? `${path}?${query.join('&')}` : path;
    }

    function headersOf(one: TryCall): Record<string, string> {
      const headers: Record<string, string> = {};
      for (const { name, place } of one.parameters)
        if (place === 'header' && values[name]) headers[name] = values[name];
      return headers;
    }

    /** The body as the printer of curl commands knows it. */
    function bodyOf(one: TryCall): TryCall['body'] {
      if (!one.body || one.body.value === 'file') return one.body;
      if (sent.body === '') return undefined;
      if (one.body.type === 'application/x-www-form-urlencoded')
        return { type: one.body.type, value: Object.fromEntries(new URLSearchParams(sent.body)) };
      try {
        return { type: one.body.type, value: JSON.parse(sent.body) as unknown };
      } catch {
        return { type: one.body.type, value: sent.body };
      }
    }

    async function send(one: TryCall): Promise<void> {
      isSending.value = true;
      problem.value = '';
      if (answer.value?.download) URL.revokeObjectURL(answer.value.download);
      const headers = headersOf(one);
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
      const startedAt = performance.now();
      try {
        const response = await fetch(addressOf(one) + targetOf(one), {
          method: one.method,
          headers,
          ...(body !== undefined && { body }),
          credentials: 'omit',
        });
        answer.value = await answerOf(response, Math.round(performance.now() - startedAt));
      } catch (error) {
        answer.value = undefined;
        problem.value = `No answer from ${addressOf(one)}: ${(error as Error).message}. Is it running, and does it allow this page?`;
      } finally {
        isSending.value = false;
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
              onInput: (event: Event) => void (sent.port = (event.target as HTMLInputElement).value),
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
      const shownBody = bodyOf(one);
      const curl = curlSample({
        ...rest,
        ...(shownBody && { body: shownBody }),
        address: addressOf(one),
        target: targetOf(one),
        headers: headersOf(one),
      }).replaceAll(keyPlaceholder, ownServer.key ? keyPlaceholder.replace(/.*/, ownServer.key) : keyPlaceholder);
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

    function result({ status, milliseconds, headers, text, download }: Answer): VNode {
      return h('div', [
        h('p', [h('strong', status), `, ${milliseconds} ms`]),
        h('details', [
          h('summary', `${headers.length} headers`),
          h('pre', { tabindex: 0 }, h('code', headers.map(([name, value]) => `${name}: ${value}`).join('\n'))),
        ]),
        download
          ? h('p', h('a', { href: download, download: '' }, `Save ${text}`))
          : h('pre', { tabindex: 0 }, h('code', text)),
      ]);
    }

    return () =>
      h('div', { class: 'try-it', role: 'group', 'aria-label': `Try ${operation}` }, [
        call.value ? form(call.value) : h('button', { type: 'button', onClick: () => void open() }, 'Try it'),
        h('div', { role: 'status' }, [
          problem.value ? h('p', problem.value) : undefined,
          answer.value ? result(answer.value) : undefined,
        ]),
      ]);
  },
});
