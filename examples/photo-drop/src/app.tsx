import { useState, type ReactNode } from 'react';

import { Album } from './album.tsx';
import type { Connection } from './photos.ts';

const place = 'photo-drop';

/** The key stays in this tab. A page of your own should use upload tokens, which its server makes. */
function remembered(): Connection | undefined {
  const text = sessionStorage.getItem(place);
  return text === null ? undefined : JSON.parse(text);
}

export function App(): ReactNode {
  const [connection, setConnection] = useState(remembered);
  const connect = (next: Connection | undefined) => {
    next ? sessionStorage.setItem(place, JSON.stringify(next)) : sessionStorage.removeItem(place);
    setConnection(next);
  };
  return (
    <>
      <h1>Photo drop</h1>
      {connection ? (
        <Album connection={connection} onLeave={() => connect(undefined)} />
      ) : (
        <Connect onConnect={connect} />
      )}
    </>
  );
}

function Connect({ onConnect }: { readonly onConnect: (connection: Connection) => void }): ReactNode {
  const submit = (form: FormData) => {
    const server = form.get('server') as string;
    const credential = form.get('key') as string;
    onConnect({ baseUrl: server.replace(/\/+$/, ''), credential });
  };
  return (
    <form action={submit}>
      <label>
        Server
        <input name="server" type="url" required defaultValue="http://localhost:7400" />
      </label>
      <label>
        API key
        <input name="key" type="password" required autoComplete="off" />
      </label>
      <button>Connect</button>
    </form>
  );
}
