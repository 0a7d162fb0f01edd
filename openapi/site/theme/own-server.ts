import { defineComponent, h, onMounted, onUnmounted, ref, watch } from 'vue';

import { keyPlaceholder, ownServer, thisServer } from './settings.ts';
import { followLanguage } from './languages.ts';

/** The texts of the samples before anything was replaced in them. */
const originals = new WeakMap<Text, string>();

/** Shows the reader's address and key in all samples of the page, or the placeholders without them. */
function rewriteSamples(): void {
  const { address, key } = ownServer;
  for (const code of document.querySelectorAll('.vp-code-group code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
      const original = originals.get(node) ?? node.data;
      originals.set(node, original);
      let shown = original;
      if (address) shown = shown.replaceAll(thisServer(), address);
      if (key) shown = shown.replaceAll(keyPlaceholder, key);
      if (node.data !== shown) node.data = shown;
    }
  }
}

/** Takes the address and the key that the samples of a page show. */
export const OwnServer = defineComponent({
  name: 'OwnServer',
  setup() {
    const here = ref('');
    onMounted(() => {
      here.value = thisServer();
      rewriteSamples();
      onUnmounted(followLanguage());
    });
    watch(ownServer, rewriteSamples);
    const field = (name: 'address' | 'key', label: string, attributes: Readonly<Record<string, string>>) =>
      h('div', [
        h('label', { for: `own-${name}` }, label),
        h('input', {
          id: `own-${name}`,
          autocomplete: 'off',
          spellcheck: 'false',
          value: ownServer[name],
          onInput: (event: Event) => {
            ownServer[name] = (event.target as HTMLInputElement).value.trim().replace(/\/+$/, '');
          },
          ...attributes,
        }),
      ]);
    return () =>
      h('section', { class: 'own-server', 'aria-label': 'Your server in the samples' }, [
        h('div', { class: 'fields' }, [
          field('address', 'Your server', { type: 'url', placeholder: here.value }),
          field('key', 'Your key', { type: 'password', placeholder: 'cbk_…' }),
        ]),
        h(
          'p',
          { class: 'note' },
          'The samples below then show them. They stay in this tab and go nowhere until you press “Send” in “Try it”.',
        ),
      ]);
  },
});
