// vite.config.js: oxc: { jsx: { importSource: 'preact' } }
import { useState } from 'preact/hooks';
import 'cubby-client/element/preact';

export function Inbox() {
  const [ids, setIds] = useState<readonly string[]>([]);
  return (
    <>
      <cubby-upload
        base-url="https://api.example.com"
        token-url="/upload-token"
        prefix="inbox"
        multiple
        onuploaded={({ detail }) => setIds((before) => [...before, detail.uploaded.id])}
      />
      <ul>
        {ids.map((id) => (
          <li key={id}>{id}</li>
        ))}
      </ul>
    </>
  );
}
