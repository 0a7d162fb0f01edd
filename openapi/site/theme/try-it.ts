import { defineComponent, h, type VNode } from 'vue';
import { useData } from 'vitepress';

import { curlSample } from '../../build/samples/curl.ts';
import type { TryCall } from '../../build/try-calls.ts';
import { answerView } from './try-answer.ts';
import { bodyOf, headersOf, targetOf } from './try-request.ts';
import { withOwn } from './own-samples.ts';
import { ownServer } from './settings.ts';
import { addressOf, useTry, type Try } from './use-try.ts';

/** Sends one operation to a server that the reader chooses, and shows the answer and the same call as curl. */
export const TryIt = defineComponent({
  name: 'TryIt',
  props: { operation: { type: String, required: true } },
  setup({ operation }) {
    const { page } = useData();
    const state = useTry(operation, page.value.relativePath.replace(/^reference\/|\.md$/g, ''));
    const { call, problem, answer } = state;
    return () =>
      h('div', { class: 'try-it', role: 'group', 'aria-label': `Try ${operation}` }, [
        call.value
          ? form(state, call.value)
          : h('button', { type: 'button', onClick: () => void state.open() }, 'Try it'),
        h('div', { role: 'status' }, [
          problem.value ? h('p', problem.value) : undefined,
          answer.value ? answerView(answer.value) : undefined,
        ]),
      ]);
  },
});

function input({ idOf }: Try, name: string, label: string, attributes: Readonly<Record<string, unknown>>): VNode {
  return h('div', [h('label', { for: idOf(name) }, label), h('input', { id: idOf(name), ...attributes })]);
}

function form(state: Try, one: TryCall): VNode {
  const isSending = state.isSending.value;
  return h(
    'form',
    {
      onSubmit: (event: Event) => {
        event.preventDefault();
        void state.send(one);
      },
    },
    [
      ...servers(state, one),
      ...fields(state, one),
      body(state, one),
      one.isAuthenticated && !ownServer.key
        ? h('p', { class: 'note' }, 'Enter your key at the top of this page. Without it the server answers 401.')
        : undefined,
      h('button', { class: 'first', disabled: isSending }, isSending ? 'Sending …' : 'Send'),
      h('p', { class: 'note' }, 'The same as a command:'),
      h('pre', { tabindex: 0 }, h('code', command(state, one))),
    ],
  );
}

function servers(state: Try, one: TryCall): Array<VNode | undefined> {
  const { sent } = state;
  return [
    h('label', { for: state.idOf('server') }, 'Server'),
    h(
      'select',
      {
        id: state.idOf('server'),
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
      : input(state, 'port', 'Port', {
          value: sent.port,
          inputmode: 'numeric',
          onInput: (event: Event) => void (sent.port = (event.target as HTMLInputElement).value.replaceAll(/\D/g, '')),
        }),
  ];
}

function fields(state: Try, one: TryCall): VNode[] {
  return one.parameters.map(({ name, place, isRequired }) =>
    input(state, name, `${name}${isRequired ? ' (required)' : ''}, ${place}`, {
      value: state.values[name],
      spellcheck: 'false',
      autocomplete: 'off',
      onInput: (event: Event) => void (state.values[name] = (event.target as HTMLInputElement).value),
    }),
  );
}

function body(state: Try, one: TryCall): VNode | undefined {
  if (!one.body) return undefined;
  if (one.body.value === 'file')
    return input(state, 'file', 'File (without one, a small text is sent)', {
      type: 'file',
      onChange: (event: Event) => void (state.file.chosen = (event.target as HTMLInputElement).files?.[0]),
    });
  return h('div', [
    h('label', { for: state.idOf('body') }, `Body, ${one.body.type}`),
    h('textarea', {
      id: state.idOf('body'),
      spellcheck: 'false',
      value: state.sent.body,
      onInput: (event: Event) => void (state.sent.body = (event.target as HTMLTextAreaElement).value),
    }),
  ]);
}

/** Returns the same call as curl. */
function command(state: Try, one: TryCall): string {
  const { body: _body, ...rest } = one;
  const shownBody = bodyOf(one, state.sent.body);
  const sample = curlSample({
    ...rest,
    ...(shownBody && { body: shownBody }),
    address: addressOf(state, one),
    target: targetOf(one, state.values),
    headers: headersOf(one, state.values),
  });
  // The command calls the chosen server, not the address at the top of the page.
  return withOwn(sample, { address: '', key: ownServer.key }, addressOf(state, one));
}
