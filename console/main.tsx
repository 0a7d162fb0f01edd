import './style/base.css';
import './style/shell.css';

import { render } from 'preact';

import { loadConfig } from './app/config.ts';
import { connect } from './app/api.ts';
import { startRouter } from './app/router.ts';
import { loadSession } from './app/session.ts';
import { startSettings } from './app/settings.ts';
import { loadMessages } from './app/messages.ts';
import { App } from './shell/app.tsx';

startSettings();
connect();
const [config] = await Promise.all([loadConfig(), loadMessages()]);
await loadSession(config.door);
startRouter();
render(<App />, document.getElementById('console')!);
