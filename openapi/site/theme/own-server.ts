import { defineComponent, h, onMounted, ref, watch } from 'vue';

import { isUsable, withOwn } from './own-samples.ts';
import { ownServer, thisServer } from './settings.ts';

/** The texts of the samples before anything was replaced in them. */
const originals = new WeakMap<Text, string>();

/** Shows the reader's address and key in all samples of the page, or the placeholders without them. */
function rewriteSamples(): void {
  for (const code of document.querySelectorAll('.vp-doc div[class*="language-"] code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
      const original = originals.get(node) ?? node.data;
      originals.set(node, original);
      const shown = withOwn(original, ownServer, thisServer());
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
          'aria-invalid': isUsable(ownServer[name]) ? undefined : 'true',
          'aria-describedby': isUsable(ownServer[name]) ? undefined : `own-${name}-problem`,
          onInput: (event: Event) => {
            const value = (event.target as HTMLInputElement).value.trim();
            ownServer[name] = name === 'address' ? value.replace(/\/+$/, '') : value;
          },
          ...attributes,
        }),
        isUsable(ownServer[name])
          ? undefined
          : h(
              'p',
              { class: 'note', id: `own-${name}-problem` },
              'The samples leave this out: it may have no spaces, quotes, backslashes or letters outside ASCII.',
            ),
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
          'The samples then show them; addresses of links and public files stay as they are. Both stay in this tab, and go nowhere until you press “Send” in “Try it” of the reference.',
        ),
      ]);
  },
});
