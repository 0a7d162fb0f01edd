// vite.config.js: plugins: [solid()] of vite-plugin-solid
import { createSignal, For } from 'solid-js';
import 'cubby-client/element/solid';

export function Inbox() {
  const [ids, setIds] = createSignal<readonly string[]>([]);
  return (
    <>
      <cubby-upload
        base-url="https://api.example.com"
        token-url="/upload-token"
        prefix="inbox"
        multiple
        on:uploaded={({ detail }) => setIds((before) => [...before, detail.uploaded.id])}
      />
      <ul>
        <For each={ids()}>{(id) => <li>{id}</li>}</For>
      </ul>
    </>
  );
}
