/** A framework with the pages that the tests show in it. */
export interface Framework {
  /** The example of the package. */
  readonly example: string;
  /** A program that shows the component of `./example`. */
  readonly mount: string;
  /** The extension of a component. */
  readonly extension: string;
  /**
   * A component with a button "Switch", and two elements that keep existing files until it is pressed: `#kept` says so
   * with `keep-existing`, `#old` with `overwrite`.
   */
  readonly flags: string;
}

/** What both elements of the second page have in each framework. Text is bound, so that it is no part of a template. */
const bound = (value: (code: string) => string) =>
  (
    `base-url={URL} token-url={'/key'} hidden-files={false} private={false} multiple={true} confirm-leave={true} ` +
    `max-size={1000000} name={'files'} form={'other'} lang={'en'}`
  ).replace(/\{(.*?)\}/g, (_, code: string) => value(code));
const braces = bound((code) => `{${code}}`);
const boundForVue = bound((code) => `"${code}"`).replaceAll(/(?<=^| )(?=[a-z-]+=)/g, ':');
const head = `const URL = 'https://api.example.com';`;

const jsxFlags = (hooks: string, entry: string, state: string, [keeps, change]: readonly [string, string]) => `
import { ${state} } from '${hooks}';
import 'cubby-client/element/${entry}';
${head}
export function Flags() {
  const [keeps, setKeeps] = ${state}(true);
  return <div>
    <form id="other" />
    <button onClick={() => setKeeps(${change})}>Switch</button>
    <cubby-upload id="kept" prefix={'kept'} keep-existing={${keeps}} ${braces} />
    <cubby-upload id="old" prefix={'old'} {...{ overwrite: !${keeps} }} ${braces} />
  </div>;
}`;

export const frameworks: Readonly<Record<string, Framework>> = {
  'React 19': {
    example: 'react.tsx',
    extension: 'tsx',
    mount: `import { createRoot } from 'react-dom/client';
      createRoot(document.querySelector('#app')).render(<Component />);`,
    flags: jsxFlags('react', 'react', 'useState', ['keeps', '!keeps']),
  },
  Preact: {
    example: 'preact.tsx',
    extension: 'tsx',
    mount: `import { render } from 'preact';
      render(<Component />, document.querySelector('#app'));`,
    flags: jsxFlags('preact/hooks', 'preact', 'useState', ['keeps', '!keeps']),
  },
  Solid: {
    example: 'solid.tsx',
    extension: 'tsx',
    mount: `import { render } from 'solid-js/web';
      render(() => <Component />, document.querySelector('#app'));`,
    flags: jsxFlags('solid-js', 'solid', 'createSignal', ['keeps()', '!keeps()']),
  },
  Vue: {
    example: 'vue.vue',
    extension: 'vue',
    mount: `import { createApp } from 'vue';
      createApp(Component).mount('#app');`,
    flags: `<script setup>
import { ref } from 'vue';
import 'cubby-client/element';
${head}
const keeps = ref(true);
</script>
<template>
  <form id="other" />
  <button @click="keeps = !keeps">Switch</button>
  <cubby-upload id="kept" :prefix="'kept'" :keep-existing="keeps" ${boundForVue} />
  <cubby-upload id="old" :prefix="'old'" :overwrite="!keeps" ${boundForVue} />
</template>`,
  },
  Svelte: {
    example: 'svelte.svelte',
    extension: 'svelte',
    mount: `import { mount } from 'svelte';
      mount(Component, { target: document.querySelector('#app') });`,
    flags: `<script>
  import 'cubby-client/element';
  ${head}
  let keeps = $state(true);
</script>
<form id="other"></form>
<button onclick={() => (keeps = !keeps)}>Switch</button>
<cubby-upload id="kept" prefix={'kept'} keep-existing={keeps} ${braces}></cubby-upload>
<cubby-upload id="old" prefix={'old'} overwrite={!keeps} ${braces}></cubby-upload>`,
  },
};
